/** Whether a variable such as MOTIF_NO_STDIN says yes: it is set, and neither empty nor 0. */
export function isSwitchedOn(variable: string | undefined): boolean {
  return variable !== undefined && variable !== '' && variable !== '0';
}

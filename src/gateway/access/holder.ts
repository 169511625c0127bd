/** The name of a token among all those of the file. The ID of a Motif has no space in it. */
export function holderOf(motifId: string, tokenId: string): string {
  return `${motifId} ${tokenId}`;
}

/** The Motif of a token that was named so. */
export function motifOf(holder: string): string {
  return holder.split(' ', 1)[0]!;
}

/** Every row of the product of the values, as an object a row: `product({ a: [0, 1], b: [2] })`. */
export function product<T extends Readonly<Record<string, readonly unknown[]>>>(
  values: T,
): readonly { readonly [K in keyof T]: T[K][number] }[] {
  let rows: Record<string, unknown>[] = [{}];
  for (const [key, options] of Object.entries(values)) {
    rows = rows.flatMap((row) => options.map((option) => ({ ...row, [key]: option })));
  }
  return rows as { readonly [K in keyof T]: T[K][number] }[];
}

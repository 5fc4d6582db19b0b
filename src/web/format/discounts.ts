/** Parses `2022: 40.00, 2023: 41.50`. Any other text is sent unchanged, and the server rejects it. */
export function parseDiscounts(text: string): { year: number; amount: string }[] {
  return text
    .split(/[,;\s]+(?=\d{4}\s*[:=])/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [, year, amount] = /^(\d{4})\s*[:=]\s*\$?\s*(.*?)[.;,]?$/.exec(part) ?? [];
      return { year: Number(year ?? 0), amount: (amount ?? part).replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '') };
    });
}

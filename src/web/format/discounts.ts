/** `2022: 40.00, 2023: 41.50`. A part that is something else is sent as it is, and the server refuses it. */
export function discountsIn(text: string): { year: number; amount: string }[] {
  return text
    .split(/[,;\s]+(?=\d{4}\s*[:=])/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [, year, amount] = /^(\d{4})\s*[:=]\s*\$?\s*(.*?)[.;,]?$/.exec(part) ?? [];
      return { year: Number(year ?? 0), amount: (amount ?? part).replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '') };
    });
}

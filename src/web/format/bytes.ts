const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Formats a size as `1.2 MB`. */
export function bytes(size: number): string {
  const at = size < 1_000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(size) / 3));
  return new Intl.NumberFormat('en-US', {
    style: 'unit',
    unit: units[at],
    unitDisplay: at === 0 ? 'long' : 'short',
    maximumFractionDigits: at < 2 ? 0 : 1,
  }).format(size / 1_000 ** at);
}

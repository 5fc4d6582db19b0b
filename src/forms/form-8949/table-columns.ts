/** Columns (a) to (h) of a table. */
export const formColumns = [
  { title: '(a) Description', share: 4.4 },
  { title: '(b) Acquired', share: 2.1, align: 'center' },
  { title: '(c) Sold', share: 2.1, align: 'center' },
  { title: '(d) Proceeds', share: 2.5, align: 'right' },
  { title: '(e) Basis', share: 2.5, align: 'right' },
  { title: '(f)', share: 1.3, align: 'center' },
  { title: '(g) Adjust.', share: 2.1, align: 'right' },
  { title: '(h) Gain', share: 2.5, align: 'right' },
] as const;

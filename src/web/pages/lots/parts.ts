/** The parts of an unrealized gain, in the order in which they are shown. */
export const partNames = [
  { part: 'short', name: 'short-term' },
  { part: 'long', name: 'long-term' },
  { part: 'contracts1256', name: 'section 1256' },
  { part: 'ordinary', name: 'ordinary' },
  { part: 'taxFree', name: 'not taxed' },
] as const;

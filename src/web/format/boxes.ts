import type { Box } from '../../engine/model.ts';

/** Check boxes of the two parts of Form 8949 for 2025. */
export const boxNames: Readonly<Record<Box, string>> = {
  A: 'short-term, 1099-B, basis reported to the IRS',
  B: 'short-term, 1099-B, basis not reported to the IRS',
  C: 'short-term, no 1099-B',
  D: 'long-term, 1099-B, basis reported to the IRS',
  E: 'long-term, 1099-B, basis not reported to the IRS',
  F: 'long-term, no 1099-B',
  G: 'short-term, 1099-DA, basis reported to the IRS',
  H: 'short-term, 1099-DA, basis not reported to the IRS',
  I: 'short-term, digital asset, no form',
  J: 'long-term, 1099-DA, basis reported to the IRS',
  K: 'long-term, 1099-DA, basis not reported to the IRS',
  L: 'long-term, digital asset, no form',
};

/** Returns the term of a line, or null if the purchase is unknown. */
export function termName(term: keyof typeof termNames | null): string {
  return term === null ? 'term unknown' : termNames[term];
}

export const termNames = { short: 'short-term', long: 'long-term' } as const;

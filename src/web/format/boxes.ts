import type { Box } from '../../engine/model.ts';

/** Form 8949 of 2025, the check boxes of its two parts. */
export const boxNames: Readonly<Record<Box, string>> = {
  A: 'short-term, 1099-B, basis reported',
  B: 'short-term, 1099-B, basis not reported',
  C: 'short-term, no 1099-B',
  D: 'long-term, 1099-B, basis reported',
  E: 'long-term, 1099-B, basis not reported',
  F: 'long-term, no 1099-B',
  G: 'short-term, 1099-DA, basis reported',
  H: 'short-term, 1099-DA, basis not reported',
  I: 'short-term, digital asset, no form',
  J: 'long-term, 1099-DA, basis reported',
  K: 'long-term, 1099-DA, basis not reported',
  L: 'long-term, digital asset, no form',
};

/** The term of a line. It is null if the purchase is unknown. */
export function termName(term: keyof typeof termNames | null): string {
  return term === null ? 'term unknown' : termNames[term];
}

export const termNames = { short: 'short-term', long: 'long-term' } as const;

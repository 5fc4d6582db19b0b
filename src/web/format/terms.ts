/** Returns the term of a line, or null if the purchase is unknown. */
export function termName(term: keyof typeof termNames | null): string {
  return term === null ? 'term unknown' : termNames[term];
}

export const termNames = { short: 'short-term', long: 'long-term' } as const;

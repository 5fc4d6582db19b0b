/** What a row is to a line: what sold, what opened the lot, what made it another, what denied its loss, and whose it took on. */
export const sourceRoles = ['disposal', 'lot', 'change', 'option', 'short', 'denied', 'replacement'] as const;

export type Role = (typeof sourceRoles)[number];

/**
 * The role of a row in a line of Form 8949. In order: it sold the units, opened the lot, changed the lot, opened an
 * option that the lot used, opened a short sale that the lot closed, passed its disallowed loss on to the basis, or
 * replaced the units sold.
 */
export const sourceRoles = ['disposal', 'lot', 'change', 'option', 'short', 'denied', 'replacement'] as const;

export type SourceRole = (typeof sourceRoles)[number];

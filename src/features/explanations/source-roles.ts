/**
 * The role of a row in a line of Form 8949: it disposed of the lot, opened it, changed it, was an option or a short
 * sale that the lot used, put its disallowed loss into the basis, or replaced the units sold.
 */
export const sourceRoles = ['disposal', 'lot', 'change', 'option', 'short', 'denied', 'replacement'] as const;

export type SourceRole = (typeof sourceRoles)[number];

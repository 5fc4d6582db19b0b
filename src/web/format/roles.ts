/** The roles an owner can grant, with their permissions, least powerful first. */
export const roleWords = {
  viewer: { name: 'Viewer', may: 'can see everything and download reports, but change nothing' },
  preparer: {
    name: 'Preparer',
    may: 'can see everything, import, resolve items, edit, calculate and write notes, but not sign off',
  },
  reviewer: { name: 'Reviewer', may: 'can do everything a preparer can, plus review, sign off and lock years' },
  manager: { name: 'Manager', may: 'can do everything: there is no other owner' },
} as const;

/** The review statuses of a year. */
export const reviewWords = {
  open: 'Open',
  prepared: 'Prepared',
  reviewed: 'Reviewed',
  signed_off: 'Signed off',
} as const;

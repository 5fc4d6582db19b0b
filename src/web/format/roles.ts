/** The roles that an owner gives, with what they may do: the least first. */
export const roleWords = {
  viewer: { name: 'Viewer', may: 'sees everything and downloads reports, and changes nothing' },
  preparer: {
    name: 'Preparer',
    may: 'sees everything, imports, answers, edits, calculates and writes notes, and signs nothing off',
  },
  reviewer: { name: 'Reviewer', may: 'does what a preparer does, and reviews years, signs them off and locks them' },
  manager: { name: 'Manager', may: 'does all of it: these books have no other owner' },
} as const;

/** How far a year is. */
export const reviewWords = {
  open: 'Open',
  prepared: 'Prepared',
  reviewed: 'Reviewed',
  signed_off: 'Signed off',
} as const;

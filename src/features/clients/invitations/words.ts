import type { GrantedRole } from '../../auth/permissions.ts';

const allows: Readonly<Record<GrantedRole | 'manager', string>> = {
  viewer: 'viewer, who sees everything and downloads reports, and changes nothing.',
  preparer: 'preparer, who sees everything, imports, answers, edits and calculates, and signs nothing off.',
  reviewer: 'reviewer, who does what a preparer does, and reviews years, signs them off and locks them.',
  manager: 'manager, who does all of it in books that have no other owner.',
};

/** Descriptions of the permissions of each role for mails and notifications. */
export function allowsOf(role: GrantedRole | 'manager'): string {
  return allows[role];
}

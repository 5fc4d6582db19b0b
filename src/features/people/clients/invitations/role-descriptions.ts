import type { GrantedRole } from '../../auth/permissions.ts';

const allows: Readonly<Record<GrantedRole | 'manager', string>> = {
  viewer: 'viewer, who can see everything and download reports but change nothing.',
  preparer: 'preparer, who can see everything, import, resolve issues, edit and calculate, but not sign off.',
  reviewer: 'reviewer, who can do everything a preparer can, and also review years, sign them off and lock them.',
  manager: 'manager, who can do everything in books that have no other owner.',
};

/** Returns a description of what a role allows, for emails and notifications. */
export function describeRole(role: GrantedRole | 'manager'): string {
  return allows[role];
}

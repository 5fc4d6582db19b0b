import { Refusal } from '../../../base/refusal.ts';
import { type Permission, permissions } from '../../../http/operations.ts';

/**
 * Roles in books. The `owner` is the user to whom the books belong. The `manager` is the CPA who created the books for
 * a client without an account. The owner gives the other roles.
 */
export const roles = ['owner', 'manager', 'reviewer', 'preparer', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** Roles in other people's books. */
export const clientRoles = ['manager', 'reviewer', 'preparer', 'viewer'] as const satisfies readonly Role[];
export type ClientRole = (typeof clientRoles)[number];

/** Roles that an owner can give, from least to most access. */
export const grantedRoles = ['viewer', 'preparer', 'reviewer'] as const;
export type GrantedRole = (typeof grantedRoles)[number];

export { type Permission, permissions };

export const permissionsByRole: Readonly<Record<Role, readonly Permission[]>> = {
  owner: ['read', 'write', 'review', 'own'],
  manager: ['read', 'write', 'review', 'own'],
  reviewer: ['read', 'write', 'review'],
  preparer: ['read', 'write'],
  viewer: ['read'],
};

export function hasPermission(role: Role, permission: Permission): boolean {
  return permissionsByRole[role].includes(permission);
}

export function requireRolePermission(role: Role, permission: Permission): void {
  if (hasPermission(role, permission)) return;
  throw new Refusal('forbidden', `Your role in these books is ${role}: ${refused[permission]}`);
}

const refused: Readonly<Record<Permission, string>> = {
  read: 'it has no read access. Ask the owner for a different role.',
  write: 'it can view and download, but not make changes. Ask the owner for a different role.',
  review: 'it cannot review, sign off or lock a year. Ask the owner for the reviewer role.',
  own: 'only the owner can do this.',
};

import { Refusal } from '../../../base/refusal.ts';

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

/**
 * The permission that an operation on books requires. `read` includes downloads and calculations that store nothing.
 * `review` covers marking a year as reviewed, signing it off and locking it. `own` cannot be given to others.
 */
export const permissions = ['read', 'write', 'review', 'own'] as const;
export type Permission = (typeof permissions)[number];

export const permissionsByRole: Readonly<Record<Role, readonly Permission[]>> = {
  owner: ['read', 'write', 'review', 'own'],
  manager: ['read', 'write', 'review', 'own'],
  reviewer: ['read', 'write', 'review'],
  preparer: ['read', 'write'],
  viewer: ['read'],
};

/** The permission for every operation on books except GET, by name in the OpenAPI document. A GET requires `read`. */
export const permissionByOperation: Readonly<Record<string, Permission>> = {
  'POST /v1/tax/what-if': 'read',
  // The `mcp` tools check additional permissions themselves.
  'POST /mcp': 'read',
  'POST /v1/transactions': 'write',
  'PATCH /v1/transactions/{id}': 'write',
  'DELETE /v1/transactions/{id}': 'write',
  'POST /v1/transactions/bulk': 'write',
  'POST /v1/transactions/edits/{id}/undo': 'write',
  'POST /v1/transactions/{id}/revert': 'write',
  'POST /v1/transactions/import': 'write',
  'DELETE /v1/imports/{id}': 'write',
  'POST /v1/imports/{id}/reread': 'write',
  'POST /v1/imports/{id}/restore': 'write',
  'POST /v1/imports/{id}/assign-accounts': 'write',
  'DELETE /v1/imports/account-questions/{id}': 'write',
  'POST /v1/imports/rejects/{id}': 'write',
  'DELETE /v1/imports/mappings/{id}': 'write',
  'DELETE /v1/imports/possible-duplicates/{id}': 'write',
  'POST /v1/prices': 'write',
  'DELETE /v1/prices/{id}': 'write',
  'POST /v1/balances': 'write',
  'POST /v1/balances/import': 'write',
  'DELETE /v1/balances/{id}': 'write',
  'POST /v1/tax/issues/resolve': 'write',
  'POST /v1/tax/issues/reopen': 'write',
  'POST /v1/tax/issues/{id}/resolve': 'write',
  'DELETE /v1/tax/issues/{id}/resolution': 'write',
  'PUT /v1/tax/transfers/{id}': 'write',
  'DELETE /v1/tax/transfers/{id}': 'write',
  'POST /v1/tax/allocation': 'write',
  'PATCH /v1/tax/assets': 'write',
  'PATCH /v1/tax/settings': 'write',
  'POST /v1/tax/calculate': 'write',
  'POST /v1/tax/reports': 'write',
  'POST /v1/notifications/read': 'write',
  'POST /v1/notifications/{id}/read': 'write',
  'POST /v1/ai/messages': 'write',
  'POST /v1/tax/notes': 'write',
  'PATCH /v1/tax/notes/{id}': 'write',
  'DELETE /v1/tax/notes/{id}': 'write',
  // `locks/review` checks additional permissions for some review states.
  'POST /v1/tax/years/{year}/review': 'write',
  'POST /v1/tax/years/{year}/lock': 'review',
  'POST /v1/tax/years/{year}/unlock': 'review',
  // These are the owner's own notifications about the books, such as those about people with access.
  'PATCH /v1/notifications/settings': 'own',
  // Only the taxpayer can consent. If a client has no account, the manager records the consent that the client signed.
  'POST /v1/ai/consents': 'own',
  'DELETE /v1/ai/consents/{id}': 'own',
};

/**
 * Returns the permission for a route template with parameters such as `:id`. Operations missing from the table require
 * `own`.
 */
export function resolvePermission({
  method,
  template,
}: {
  readonly method: string;
  readonly template: string;
}): Permission {
  if (method === 'GET' || method === 'HEAD') return 'read';
  const operation = `${method} ${template.replace(/:(\w+)/g, '{$1}')}`;
  return Object.hasOwn(permissionByOperation, operation) ? (permissionByOperation[operation] ?? 'own') : 'own';
}

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

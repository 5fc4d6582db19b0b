import { Refusal } from '../../base/refusal.ts';

/**
 * Who may do what in books. `owner` is the user whose books they are, `manager` the CPA who made the books of a client
 * without an account. The others were let in by the owner.
 */
export const roles = ['owner', 'manager', 'reviewer', 'preparer', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** In books that are not one's own. */
export const clientRoles = ['manager', 'reviewer', 'preparer', 'viewer'] as const satisfies readonly Role[];
export type ClientRole = (typeof clientRoles)[number];

/** What an owner gives, the least first. */
export const grantedRoles = ['viewer', 'preparer', 'reviewer'] as const;
export type GrantedRole = (typeof grantedRoles)[number];

/**
 * What an operation about books does. `read` also covers downloads and what keeps nothing; `review` is to say that a year
 * is right, to sign it off, and to lock it; `own` is what no owner hands out.
 */
export const acts = ['read', 'write', 'review', 'own'] as const;
export type Act = (typeof acts)[number];

export const actsOfRole: Readonly<Record<Role, readonly Act[]>> = {
  owner: ['read', 'write', 'review', 'own'],
  manager: ['read', 'write', 'review', 'own'],
  reviewer: ['read', 'write', 'review'],
  preparer: ['read', 'write'],
  viewer: ['read'],
};

/** Every operation about books that is no GET, as the OpenAPI document names it. A GET reads. */
export const actOfOperation: Readonly<Record<string, Act>> = {
  'POST /v1/tax/what-if': 'read',
  // What a program does by it that is more, its tools ask for: `mcp`.
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
  // Which step takes more stands with the steps: `locks/review`.
  'POST /v1/tax/years/{year}/review': 'write',
  'POST /v1/tax/years/{year}/lock': 'review',
  'POST /v1/tax/years/{year}/unlock': 'review',
  // Which notices of his books an owner gets, such as those of who was let in.
  'PATCH /v1/notifications/settings': 'own',
  // Only the taxpayer consents. The manager of a client without an account records what the client signed.
  'POST /v1/ai/consents': 'own',
  'DELETE /v1/ai/consents/{id}': 'own',
};

/** Of a route, whose template names parameters as `:id`. What the table does not name is the owner's. */
export function actOf({ method, template }: { readonly method: string; readonly template: string }): Act {
  if (method === 'GET' || method === 'HEAD') return 'read';
  const operation = `${method} ${template.replace(/:(\w+)/g, '{$1}')}`;
  return Object.hasOwn(actOfOperation, operation) ? (actOfOperation[operation] ?? 'own') : 'own';
}

export function mayAct(role: Role, act: Act): boolean {
  return actsOfRole[role].includes(act);
}

export function requireAct(role: Role, act: Act): void {
  if (mayAct(role, act)) return;
  throw new Refusal('forbidden', `Your role in these books is ${role}: ${refused[act]}`);
}

const refused: Readonly<Record<Act, string>> = {
  read: 'it does not read them.',
  write: 'it reads and downloads, and changes nothing.',
  review: 'it does not review, sign off or lock a year.',
  own: 'this is for their owner alone.',
};

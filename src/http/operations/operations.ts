import type { Route } from '../routes.ts';

/** What a token may be given. */
export const tokenScopes = ['read', 'import', 'write', 'reports'] as const;
export type TokenScope = (typeof tokenScopes)[number];

export interface OperationRule {
  /** A token needs one of these. Empty: no token may, only somebody who is signed in. Null: there is nothing to prove. */
  readonly scopes: readonly TokenScope[] | null;
}

/** Needs no session, and makes no use of a token. */
const open: OperationRule = { scopes: null };
/** Of the account itself: what a token could not undo, or could use to become more than it is. */
const person: OperationRule = { scopes: [] };
const read: OperationRule = { scopes: ['read'] };
const write: OperationRule = { scopes: ['write'] };
const reports: OperationRule = { scopes: ['reports'] };
/** Files and lists in. */
const bringIn: OperationRule = { scopes: ['import'] };
/** What became of a file, for whoever sent it. */
const followImport: OperationRule = { scopes: ['read', 'import'] };

/**
 * What each operation of the API asks of a token. A test holds it to the OpenAPI document, which says it too. An
 * operation that is not here takes no token.
 */
const operations: Readonly<Record<string, OperationRule>> = {
  'GET /livez': open,
  'GET /readyz': open,
  'GET /metrics': open,
  'GET /auth/google': open,
  'GET /auth/google/callback': open,
  'GET /auth/github': open,
  'GET /auth/github/callback': open,

  'POST /v1/auth/register': open,
  'POST /v1/auth/login': open,
  'POST /v1/auth/login/factor': open,
  'POST /v1/auth/demo': open,
  'GET /v1/billing': person,
  'POST /v1/billing/checkout': person,
  'POST /v1/billing/portal': person,
  'POST /v1/billing/webhook': open,
  'POST /v1/auth/logout': person,
  'POST /v1/auth/password': person,
  'POST /v1/auth/password/reset': open,
  'POST /v1/auth/password/reset/confirm': open,
  'POST /v1/auth/email': person,
  'POST /v1/auth/email/confirm': open,
  'POST /v1/auth/email/verification': person,
  'POST /v1/auth/email/verify': open,
  'GET /v1/auth/totp': person,
  'POST /v1/auth/totp': person,
  'POST /v1/auth/totp/confirm': person,
  'DELETE /v1/auth/totp': person,
  'GET /v1/auth/methods': person,
  'POST /v1/auth/reauthenticate': person,
  'POST /v1/auth/recovery-codes': person,
  'POST /v1/auth/identities': person,
  'DELETE /v1/auth/identities/:provider': person,
  'GET /v1/auth/passkeys': person,
  'POST /v1/auth/passkeys': person,
  'POST /v1/auth/passkeys/options': person,
  'PATCH /v1/auth/passkeys/:id': person,
  'DELETE /v1/auth/passkeys/:id': person,
  'POST /v1/auth/passkeys/sign-in': open,
  'POST /v1/auth/passkeys/sign-in/options': open,
  'GET /v1/auth/sessions': person,
  'DELETE /v1/auth/sessions': person,
  'DELETE /v1/auth/sessions/:id': person,
  'GET /v1/auth/tokens': person,
  'POST /v1/auth/tokens': person,
  'DELETE /v1/auth/tokens/:id': person,
  'GET /v1/account': read,
  'PATCH /v1/account': write,
  'DELETE /v1/account': person,
  'GET /v1/plans': open,
  'GET /v1/config': open,
  'GET /v1/formats': open,

  'GET /v1/status': read,
  'GET /v1/status/clients': read,
  'GET /v1/notifications': read,
  'GET /v1/notifications/stream': read,
  'POST /v1/notifications/read': write,
  'POST /v1/notifications/:id/read': write,
  'GET /v1/notifications/settings': read,
  'PATCH /v1/notifications/settings': write,
  'GET /v1/ai/messages': read,
  'POST /v1/ai/messages': write,

  'GET /v1/clients': read,
  'POST /v1/clients': write,
  'GET /v1/clients/:id': read,
  'PATCH /v1/clients/:id': write,
  'DELETE /v1/clients/:id': person,
  'POST /v1/clients/calculate': write,
  'GET /v1/clients/reports': reports,
  // Who reaches which books is for people to say.
  'GET /v1/invitations': person,
  'POST /v1/invitations': person,
  'GET /v1/invitations/:id': person,
  'DELETE /v1/invitations/:id': person,
  'POST /v1/invitations/:id/accept': person,
  'POST /v1/invitations/:id/decline': person,
  'POST /v1/invitations/:id/mail': person,
  'GET /v1/account/grants': person,
  'DELETE /v1/account/grants/:id': person,

  'POST /v1/transactions/import': bringIn,
  'GET /v1/imports': followImport,
  'GET /v1/imports/:id': followImport,
  'DELETE /v1/imports/:id': write,
  'GET /v1/imports/:id/file': read,
  'POST /v1/imports/:id/reread': write,
  'GET /v1/imports/:id/changes': followImport,
  'GET /v1/imports/:id/events': followImport,
  'GET /v1/imports/:id/rejects': followImport,
  'GET /v1/imports/rejects': followImport,
  'POST /v1/imports/rejects/:id': write,
  'GET /v1/imports/mappings': followImport,
  'DELETE /v1/imports/mappings/:id': write,
  'GET /v1/imports/possible-duplicates': followImport,
  'DELETE /v1/imports/possible-duplicates/:id': write,

  'GET /v1/transactions': read,
  'POST /v1/transactions': write,
  'GET /v1/transactions/days': read,
  'GET /v1/transactions/export': read,
  'GET /v1/transactions/edits': read,
  'POST /v1/transactions/bulk': write,
  'POST /v1/transactions/edits/:id/undo': write,
  'GET /v1/transactions/:id': read,
  'PATCH /v1/transactions/:id': write,
  'DELETE /v1/transactions/:id': write,
  'POST /v1/transactions/:id/revert': write,

  'GET /v1/prices': read,
  'POST /v1/prices': bringIn,
  'GET /v1/prices/needed': read,
  'DELETE /v1/prices/:id': write,
  'GET /v1/balances': read,
  'POST /v1/balances': write,
  'POST /v1/balances/import': bringIn,
  'DELETE /v1/balances/:id': write,

  'GET /v1/tax/summary': read,
  'GET /v1/tax/years': read,
  'GET /v1/tax/gains': read,
  'GET /v1/tax/disposals': read,
  'GET /v1/tax/disposals/:id/explain': read,
  'GET /v1/tax/lots': read,
  'GET /v1/tax/opportunity-funds': read,
  'GET /v1/tax/forms': read,
  'GET /v1/tax/holdings': read,
  'GET /v1/tax/harvest': read,
  // It is a POST for its body alone: nothing is stored.
  'POST /v1/tax/what-if': read,
  'GET /v1/tax/notes': read,
  'POST /v1/tax/notes': write,
  'PATCH /v1/tax/notes/:id': write,
  'DELETE /v1/tax/notes/:id': write,
  'GET /v1/tax/years/:year/review': read,
  'POST /v1/tax/years/:year/review': write,
  'POST /v1/tax/years/:year/lock': write,
  'POST /v1/tax/years/:year/unlock': write,
  'GET /v1/tax/years/:year/history': read,
  'GET /v1/tax/years/:year/amendment': read,
  'GET /v1/tax/issues': read,
  'POST /v1/tax/issues/resolve': write,
  'POST /v1/tax/issues/reopen': write,
  'POST /v1/tax/issues/:id/resolve': write,
  'DELETE /v1/tax/issues/:id/resolution': write,
  'GET /v1/tax/transfers/:id': read,
  'PUT /v1/tax/transfers/:id': write,
  'DELETE /v1/tax/transfers/:id': write,
  'GET /v1/tax/allocation': read,
  'POST /v1/tax/allocation': write,
  'GET /v1/tax/accounts': read,
  'GET /v1/tax/assets': read,
  'PATCH /v1/tax/assets': write,
  'GET /v1/tax/settings': read,
  'PATCH /v1/tax/settings': write,
  'POST /v1/tax/calculate': write,
  'GET /v1/tax/calculations/:id': read,

  'GET /v1/tax/reports': reports,
  'POST /v1/tax/reports': reports,
  'GET /v1/tax/reports/:id': reports,
  'GET /v1/tax/reports/:id/download': reports,
  'GET /v1/tax/reports/:id/warnings': reports,
};

export const operationNames = Object.keys(operations);

/** Undefined where the table does not know it: then it takes no token. */
export function ruleOf({ method, template }: Pick<Route, 'method' | 'template'>): OperationRule | undefined {
  return operations[`${method} ${template}`];
}

import type { Route } from '../routes.ts';
import type { AuditAction } from './audit-actions.ts';

/** Permissions of a token. */
export const tokenScopes = ['read', 'import', 'write', 'reports'] as const;
export type TokenScope = (typeof tokenScopes)[number];

export interface OperationRule {
  /** A token needs one of these. Empty means session only, no tokens. Null means no authentication. */
  readonly scopes: readonly TokenScope[] | null;
  /** The action in the audit trail. Null if the operation changes nothing and returns nothing that must be recorded. */
  readonly action: AuditAction | null;
  /** The operation changes nothing, so it is recorded after the response. All others are recorded with their change. */
  readonly isDownload?: true;
  /** The operation accepts a token, but no session. */
  readonly isForPrograms?: true;
  /** The result outlives the session, so the operation requires a confirmed email address. */
  readonly needsVerifiedEmail?: true;
}

/** Needs no session and ignores tokens. */
const open = (action: AuditAction | null = null): OperationRule => ({ scopes: null, action });
/** For operations on the account itself: changes that a token could not undo, or could use to gain permissions. */
const person = (action: AuditAction | null): OperationRule => ({ scopes: [], action });
/**
 * The same for results that outlive a session: another sign-in method, access for others, a subscription. A user who
 * registers another person's address must not keep access after the owner resets the password.
 */
const lasting = (action: AuditAction | null): OperationRule => ({ ...person(action), needsVerifiedEmail: true });
const read: OperationRule = { scopes: ['read'], action: null };
const write = (action: AuditAction): OperationRule => ({ scopes: ['write'], action });
/** For imports of files and lists. */
const bringIn = (action: AuditAction): OperationRule => ({ scopes: ['import'], action });
/** For the result of an upload, which its sender reads. */
const followImport: OperationRule = { scopes: ['read', 'import'], action: null };
const reports = (action: AuditAction | null = null): OperationRule => ({ scopes: ['reports'], action });
const download = (scopes: readonly TokenScope[], action: AuditAction): OperationRule => ({
  scopes,
  action,
  isDownload: true,
});

/**
 * Required token permission and audit action for each API operation. A test compares this table with the OpenAPI
 * document. An operation that is not in the table does not accept tokens.
 */
const operations: Readonly<Record<string, OperationRule>> = {
  'GET /livez': open(),
  'GET /readyz': open(),
  'GET /metrics': open(),
  'GET /auth/google': open(),
  'GET /auth/google/callback': open('signed_in'),
  'GET /auth/github': open(),
  'GET /auth/github/callback': open('signed_in'),

  // The tools require one of the two scopes, and only imports are recorded.
  'POST /mcp': { scopes: ['read', 'import'], action: 'file_imported', isForPrograms: true },

  'POST /v1/auth/register': open('account_created'),
  'POST /v1/auth/login': open('signed_in'),
  'POST /v1/auth/login/factor': open('signed_in'),
  'POST /v1/auth/login/link': open('sign_in_link_used'),
  'POST /v1/auth/demo': open(),
  'GET /v1/billing': person(null),
  'POST /v1/billing/checkout': lasting(null),
  'POST /v1/billing/portal': lasting(null),
  'POST /v1/billing/webhook': open('plan_changed'),
  'POST /v1/auth/logout': person('signed_out'),
  'POST /v1/auth/password': person('password_changed'),
  'POST /v1/auth/password/reset': open('password_reset_asked'),
  'POST /v1/auth/password/reset/preview': open(),
  'POST /v1/auth/password/reset/confirm': open('password_reset'),
  'POST /v1/auth/email': person('email_change_asked'),
  'POST /v1/auth/email/confirm': open('email_changed'),
  'POST /v1/auth/email/undo': open('email_change_undone'),
  'POST /v1/auth/email/verification': person('email_verification_asked'),
  'POST /v1/auth/email/verify': open('email_verified'),
  'GET /v1/auth/totp': person(null),
  'POST /v1/auth/totp': lasting('second_factor_offered'),
  'POST /v1/auth/totp/confirm': lasting('second_factor_added'),
  'DELETE /v1/auth/totp': person('second_factor_removed'),
  'GET /v1/auth/methods': person(null),
  'POST /v1/auth/reauthenticate': person('identity_proved'),
  'POST /v1/auth/recovery-codes': lasting('recovery_codes_renewed'),
  'POST /v1/auth/identities': lasting(null),
  'DELETE /v1/auth/identities/:provider': person('identity_unlinked'),
  'GET /v1/auth/passkeys': person(null),
  'POST /v1/auth/passkeys': lasting('passkey_added'),
  // Starting a flow is not a change yet.
  'POST /v1/auth/passkeys/options': lasting(null),
  'POST /v1/auth/passkeys/sign-in': open('signed_in'),
  'POST /v1/auth/passkeys/sign-in/options': open(),
  'PATCH /v1/auth/passkeys/:id': person('passkey_renamed'),
  'DELETE /v1/auth/passkeys/:id': person('passkey_removed'),
  'GET /v1/auth/sessions': person(null),
  'DELETE /v1/auth/sessions': person('sessions_ended'),
  'DELETE /v1/auth/sessions/:id': person('session_ended'),
  'GET /v1/auth/tokens': person(null),
  'POST /v1/auth/tokens': lasting('token_created'),
  'DELETE /v1/auth/tokens/:id': person('token_revoked'),
  'GET /v1/account': read,
  'GET /v1/account/audit': read,
  'GET /v1/account/grants': person(null),
  'PATCH /v1/account/grants/:id': lasting('grant_changed'),
  'DELETE /v1/account/grants/:id': person('grant_ended'),
  'PATCH /v1/account': write('account_changed'),
  'DELETE /v1/account': person('account_deleted'),
  'POST /v1/account/restore': open('account_deletion_taken_back'),
  'GET /v1/account/export': download([], 'account_exported'),
  'GET /v1/plans': open(),
  'GET /v1/config': open(),
  'GET /v1/policies': open(),
  'GET /v1/formats': open(),
  'GET /v1/help': open(),
  'GET /v1/help/:entry': open(),

  'GET /v1/status': read,
  'GET /v1/status/clients': read,
  'GET /v1/notifications': read,
  'GET /v1/notifications/stream': read,
  'POST /v1/notifications/read': write('notifications_read'),
  'POST /v1/notifications/:id/read': write('notifications_read'),
  'GET /v1/notifications/settings': read,
  'PATCH /v1/notifications/settings': write('notification_settings_changed'),
  'POST /v1/notifications/unsubscribe': open('notification_settings_changed'),
  'GET /v1/ai/messages': read,
  'POST /v1/ai/messages': write('question_asked'),
  'GET /v1/ai/consents': read,
  'POST /v1/ai/consents': person('ai_consent_given'),
  'DELETE /v1/ai/consents/:id': person('ai_consent_revoked'),

  'GET /v1/clients': read,
  'POST /v1/clients': write('client_created'),
  'GET /v1/clients/:id': read,
  'PATCH /v1/clients/:id': write('client_changed'),
  'DELETE /v1/clients/:id': person('client_deleted'),
  'POST /v1/clients/calculate': write('books_calculated'),
  'GET /v1/clients/reports': download(['reports'], 'reports_downloaded'),

  'GET /v1/invitations': person(null),
  'POST /v1/invitations': lasting('invitation_made'),
  'GET /v1/invitations/:id': person(null),
  'DELETE /v1/invitations/:id': person('invitation_withdrawn'),
  'POST /v1/invitations/:id/accept': lasting('invitation_accepted'),
  'POST /v1/invitations/:id/decline': lasting('invitation_declined'),
  'POST /v1/invitations/:id/mail': lasting('invitation_mailed'),
  'POST /v1/invitations/:id/link': lasting('invitation_linked'),

  'POST /v1/transactions/import': bringIn('file_imported'),
  'GET /v1/imports': followImport,
  'GET /v1/imports/:id': followImport,
  'DELETE /v1/imports/:id': write('import_undone'),
  'POST /v1/imports/:id/restore': write('import_restored'),
  'GET /v1/imports/:id/changes': followImport,
  'GET /v1/imports/:id/events': followImport,
  'GET /v1/imports/:id/rejects': download(['read', 'import'], 'rejected_lines_downloaded'),
  'GET /v1/imports/:id/file': download(['read'], 'file_downloaded'),
  'POST /v1/imports/:id/reread': write('file_reread'),
  'POST /v1/imports/:id/assign-accounts': write('accounts_assigned'),
  'GET /v1/imports/account-questions': followImport,
  'DELETE /v1/imports/account-questions/:id': write('account_question_dismissed'),
  'GET /v1/imports/rejects': followImport,
  'GET /v1/imports/rejects/:id': followImport,
  'POST /v1/imports/rejects/:id': write('rejected_line_settled'),
  'GET /v1/imports/mappings': followImport,
  'DELETE /v1/imports/mappings/:id': write('mapping_forgotten'),
  'GET /v1/imports/possible-duplicates': followImport,
  'DELETE /v1/imports/possible-duplicates/:id': write('duplicate_dismissed'),

  'GET /v1/transactions': read,
  'POST /v1/transactions': write('transaction_created'),
  'GET /v1/transactions/days': read,
  'GET /v1/transactions/export': download(['read'], 'transactions_exported'),
  'GET /v1/transactions/edits': read,
  'POST /v1/transactions/bulk': write('transactions_edited'),
  'POST /v1/transactions/edits/:id/undo': write('edit_undone'),
  'GET /v1/transactions/:id': read,
  'PATCH /v1/transactions/:id': write('transaction_changed'),
  'DELETE /v1/transactions/:id': write('transaction_deleted'),
  'POST /v1/transactions/:id/revert': write('transaction_reverted'),

  'GET /v1/prices': read,
  'POST /v1/prices': bringIn('prices_imported'),
  'GET /v1/prices/needed': read,
  'DELETE /v1/prices/:id': write('price_deleted'),
  'GET /v1/balances': read,
  'POST /v1/balances': write('balance_created'),
  'POST /v1/balances/import': bringIn('balances_imported'),
  'DELETE /v1/balances/:id': write('balance_deleted'),

  'GET /v1/tax/summary': read,
  'GET /v1/tax/years': read,
  'GET /v1/tax/gains': read,
  'GET /v1/tax/disposals': read,
  'GET /v1/tax/disposals/:id/explain': read,
  'GET /v1/tax/lots': read,
  'GET /v1/tax/opportunity-funds': read,
  'GET /v1/tax/forms': read,
  'GET /v1/tax/holdings': read,
  'GET /v1/tax/holdings/history': read,
  'GET /v1/tax/harvest': read,
  'GET /v1/tax/year-end': read,
  // The operation is a POST only because of its body. It stores nothing.
  'POST /v1/tax/what-if': read,
  'POST /v1/tax/years/:year/lock': write('year_locked'),
  'POST /v1/tax/years/:year/unlock': write('year_unlocked'),
  'GET /v1/tax/years/:year/history': read,
  'GET /v1/tax/years/:year/amendment': read,
  'GET /v1/tax/years/:year/review': read,
  'POST /v1/tax/years/:year/review': write('review_changed'),
  'GET /v1/tax/notes': read,
  'POST /v1/tax/notes': write('note_created'),
  'PATCH /v1/tax/notes/:id': write('note_changed'),
  'DELETE /v1/tax/notes/:id': write('note_deleted'),
  'GET /v1/tax/issues': read,
  'GET /v1/tax/issues/causes': read,
  'GET /v1/tax/issues/causes/:id': read,
  'POST /v1/tax/issues/resolve': write('issues_resolved'),
  'POST /v1/tax/issues/reopen': write('issues_reopened'),
  'POST /v1/tax/issues/:id/resolve': write('issue_resolved'),
  'DELETE /v1/tax/issues/:id/resolution': write('issue_reopened'),
  'GET /v1/tax/transfers/:id': read,
  'PUT /v1/tax/transfers/:id': write('transfer_paired'),
  'DELETE /v1/tax/transfers/:id': write('transfer_unpaired'),
  'GET /v1/tax/allocation': read,
  'POST /v1/tax/allocation': write('allocation_made'),
  'GET /v1/tax/accounts': read,
  'GET /v1/tax/assets': read,
  'PATCH /v1/tax/assets': write('assets_changed'),
  'GET /v1/tax/settings': read,
  'PATCH /v1/tax/settings': write('settings_changed'),
  'POST /v1/tax/calculate': write('books_calculated'),
  'GET /v1/tax/calculations/:id': read,

  'GET /v1/tax/reports': reports(),
  'POST /v1/tax/reports': reports('report_created'),
  'GET /v1/tax/reports/:id': reports(),
  'GET /v1/tax/reports/:id/download': download(['reports'], 'report_downloaded'),
  'GET /v1/tax/reports/:id/warnings': reports(),
};

export const operationNames = Object.keys(operations);

/** Returns undefined if the table does not contain the operation, which then does not accept tokens. */
export function ruleOf({ method, template }: Pick<Route, 'method' | 'template'>): OperationRule | undefined {
  return operations[`${method} ${template}`];
}

import { parseChallenge } from '../../../src/features/people/auth/passkeys/webauthn.ts';
import { recoveryHash } from '../../../src/features/people/auth/recovery-codes.ts';
import { secretHash } from '../../../src/features/people/auth/session.ts';
import { sealTotpKey } from '../../../src/features/people/auth/totp/codes.ts';
import { issueName } from '../../../src/forms/lines.ts';
import { sessionCookie } from '../app.ts';
import { syncDue } from '../connections.ts';
import { plantToken } from '../one-time-tokens.ts';
import type { ApiWalk, WalkStep } from './api-walk.ts';
import { importedFile } from './import-files.ts';

/** The requirements of an operation that the document does not contain. Add a recipe for each new one below. */
export interface WalkRecipe {
  /** Returns a body of a media type without an example. */
  readonly body?: (step: WalkStep) => Promise<string | Uint8Array>;
  /** Returns the id of the resource in the example. */
  readonly id?: (walk: ApiWalk) => Promise<string> | string;
  readonly before?: (walk: ApiWalk, step: WalkStep) => Promise<void>;
  readonly after?: (walk: ApiWalk, step: WalkStep) => Promise<void>;
}

/** The `first` and `last` operations run before and after all others, because they depend on the data left by these. */
export const first = ['createAccount', 'signIn', 'importTransactions', 'resolveRejectedRow', 'resolveIssue'];
export const last = [
  'deleteConnection',
  'deleteImport',
  'deleteClient',
  'signInToDemo',
  'createPasskey',
  'updatePasskey',
  'signInWithPasskey',
  'deletePasskey',
  'acceptInvitation',
  'updateGrant',
  'revokeGrant',
  'createTotpKey',
  'verifyTotp',
  'resetRecoveryCodes',
  'signInWithSecondFactor',
  'deleteTotp',
  'updatePassword',
  'resetPassword',
  'signOut',
  'deleteSessions',
  'deleteAccount',
];

interface Subject {
  readonly id: string;
  readonly kind?: string;
  readonly asset?: string;
  readonly type?: string;
  readonly current?: boolean;
  readonly state?: string;
}

const inList =
  (list: string, wanted: (subject: Subject) => boolean = () => true) =>
  async (walk: ApiWalk): Promise<string> => {
    const { data } = await walk.read<{ data: Subject[] }>(list);
    const found = data.find(wanted);
    if (found === undefined)
      throw new Error(`${list} contains no matching item: ${JSON.stringify(data).slice(0, 500)}`);
    return found.id;
  };

/** Returns the id in the newest response of another operation. */
const answerOf =
  (operationId: string) =>
  (walk: ApiWalk): string =>
    String(walk.answers.get(operationId)?.id);

const imports = '/v1/imports';
const passkeys = '/v1/auth/passkeys';
const invitations = '/v1/invitations';
const made = answerOf('createInvitation');
const transactions = '/v1/transactions';
const reports = '/v1/tax/reports';
const withdrawal = inList(transactions, ({ type }) => type === 'withdrawal');

export const recipes: Readonly<Record<string, WalkRecipe>> = {
  createAccount: { after: becomeCpa },
  importTransactions: { body: importedFile },
  createCheckout: { before: takePlanBack, after: becomeCpa },
  deleteSession: { before: openSecondSession, id: inList('/v1/auth/sessions', ({ current }) => current === false) },
  revokeToken: { id: answerOf('createToken') },
  previewProgramConnection: { before: plantProgram },
  createProgramConnection: { before: plantProgram },
  revokeProgramConnection: { before: plantProgramConnection, id: inList('/v1/auth/programs') },
  createProgramTokens: { before: plantProgramConnection },
  revokeProgramTokens: { before: plantProgramConnection },
  previewPasswordReset: { before: plantReset },
  resetPassword: { before: plantReset, after: (walk) => walk.signIn() },
  verifyEmailChange: { before: plantEmailChange, after: changeEmailBack },
  revokeEmailChange: { before: plantUndo },
  verifyEmail: { before: plantVerification },
  verifyBrowser: { before: plantSignInLink },
  deleteDigestSubscription: { before: plantDigest },
  verifyTotp: { before: plantKey },
  deleteTotp: { before: plantRecoveryCode },
  updatePassword: { after: changePasswordBack },
  revokeAccountDeletion: { before: plantDeletion },
  deleteProviderLink: { before: plantIdentity },
  signInWithSecondFactor: { before: plantPending },
  signOut: { after: (walk) => walk.signIn() },
  deleteSessions: { after: (walk) => walk.signIn() },
  createPasskey: { before: plantChallenge },
  updatePasskey: { id: inList(passkeys) },
  signInWithPasskey: { before: plantChallenge },
  deletePasskey: { id: inList(passkeys) },
  getInvitation: { id: made },
  inviteAgain: { before: invite, id: made },
  createInvitationLink: { before: invite, id: made },
  revokeInvitation: { before: invite, id: made },
  declineInvitation: {
    before: (walk) => invitedBy(walk, { kind: 'offer', role: 'viewer' }),
    id: inList(`${invitations}?open=true`, ({ kind }) => kind === 'offer'),
  },
  acceptInvitation: {
    before: (walk, step) => invitedBy(walk, { kind: 'offer', role: 'preparer' }, exampleOf(step).token),
    id: inList(`${invitations}?open=true`, ({ kind }) => kind === 'offer'),
  },
  updateGrant: { before: grantAccess, id: inList('/v1/account/grants') },
  revokeGrant: { before: grantAccess, id: inList('/v1/account/grants') },
  createAiConsent: { before: grantAccess },
  revokeAiConsent: { id: answerOf('createAiConsent') },
  updateNote: { id: inList('/v1/tax/notes') },
  deleteNote: { id: inList('/v1/tax/notes') },
  downloadImportFile: { id: inList(imports) },
  importFileAgain: { id: inList(imports) },
  resolveIssues: { before: importHalfATransfer },
  updateNotification: { id: inList('/v1/notifications') },
  getClient: { id: answerOf('createClient') },
  updateClient: { id: answerOf('createClient') },
  deleteClient: { id: answerOf('createClient') },
  getDisposalExplanation: { id: inList('/v1/tax/disposals') },
  getIssueCause: { id: () => issueName('["oversold"]') },
  getRejectedRow: { id: inList('/v1/imports/rejects') },
  resolveRejectedRow: { id: inList('/v1/imports/rejects?state=open') },
  resolveIssue: { id: inList('/v1/tax/issues?status=open', ({ asset }) => asset === 'ETH') },
  reopenIssue: { id: inList('/v1/tax/issues?status=resolved') },
  getTransferMatch: { id: withdrawal },
  matchTransfer: { id: withdrawal },
  deleteTransferMatch: { id: withdrawal },
  createAllocation: { before: electUniversal },
  getCalculation: { id: answerOf('calculate') },
  getTransaction: { id: answerOf('updateTransaction') },
  updateTransaction: { id: inList(transactions, ({ type }) => type === 'buy') },
  resetTransaction: { id: answerOf('updateTransaction') },
  deleteTransaction: { id: answerOf('createTransaction') },
  revokeEdit: { id: inList('/v1/transactions/edits') },
  deletePrice: { id: inList('/v1/prices') },
  deleteBalance: { id: inList('/v1/balances') },
  updateConnection: { id: inList('/v1/connections') },
  importFromConnection: { id: inList('/v1/connections'), after: ({ app }) => syncDue(app) },
  deleteConnection: { id: inList('/v1/connections') },
  getImport: { id: inList(imports) },
  getImportChanges: { id: inList(imports) },
  listImportEvents: { id: inList(imports) },
  downloadRejectedRows: { id: inList(imports) },
  deleteImport: { id: inList(imports) },
  revokeImportDeletion: { before: undoAnImport, id: inList(`${imports}?undone=true`) },
  deleteMapping: { before: importByMapping, id: inList('/v1/imports/mappings') },
  updateImportAccounts: { id: inList(imports) },
  resolveAccountQuestion: { before: importOfTwoAccounts, id: inList('/v1/imports/account-questions') },
  resolvePossibleDuplicate: { before: importTwiceInPart, id: inList('/v1/imports/possible-duplicates') },
  getReport: { id: inList(reports) },
  downloadReport: { id: inList(reports) },
  listReportWarnings: { id: inList(reports) },
  previewNotice: { id: inList(reports) },
  downloadNoticeAnswer: { id: inList(reports) },
};

/** Stores the user and the server key for the example's token. */
async function plantDigest({ app }: ApiWalk): Promise<void> {
  const books = '6f2b1c34-1111-4111-8111-111111111111';
  const user = '8d0e5a77-2222-4222-8222-222222222222';
  await app.books.asOwner(async (sql) => {
    await sql`insert into server_secrets (name, secret) values ('unsubscribe', ${new Uint8Array(32).fill(1)})
      on conflict do nothing`;
    await sql`insert into users (id, email) values (${user}, 'reader@example.com') on conflict do nothing`;
    await sql`insert into taxpayers (id, created_by) values (${books}, ${user}) on conflict do nothing`;
    await sql`insert into memberships (taxpayer_id, user_id, role) values (${books}, ${user}, 'owner')
      on conflict do nothing`;
    await sql`insert into digests (taxpayer_id, user_id, frequency, period_on, sequence)
      values (${books}, ${user}, 'daily', '2026-01-01', 0) on conflict do nothing`;
  });
}

const program = 'mzxw6ytboi2gk3tdn5sgk4tf';

/** Registers the program of the examples. */
async function plantProgram({ app }: ApiWalk): Promise<void> {
  await app.books.asOwner(
    (sql) => sql`
      insert into programs (id, name, redirect_uris, created_at)
      values (${program}, 'Example AI', array['http://127.0.0.1:33418/callback'], now()) on conflict do nothing`,
  );
}

/** Connects that program, with the refresh token of the examples. */
async function plantProgramConnection(walk: ApiWalk): Promise<void> {
  await plantProgram(walk);
  const hash = secretHash('mzxw6ytboi2gk3tdn5sgk4tfon2gs3th');
  await walk.app.books.asOwner(
    (sql) => sql`
      insert into program_connections (user_id, id, family, program_id, scopes, code_hash, redirect_uri, challenge, refresh_hash,
        created_at, refreshed_at, expires_at)
      values (${walk.userId()}, gen_random_uuid(), ${program}, ${program}, array['read'], ${hash},
        'http://127.0.0.1:33418/callback', '', ${hash}, now(), now(), now() + interval '1 day')
      on conflict (family) do update set refresh_hash = excluded.refresh_hash, refreshed_at = now()`,
  );
}

/** Removes the plan that the operator set, because only other users can buy one. */
async function takePlanBack({ app, userId }: ApiWalk): Promise<void> {
  await app.books.asOwner((sql) => sql`update users set plan = 'FREE' where id = ${userId()}`);
}

async function becomeCpa({ app, userId }: ApiWalk): Promise<void> {
  await app.books.asOwner(
    (sql) => sql`update users set plan = 'CPA', email_verified_at = now() where id = ${userId()}`,
  );
}

/** Signs in from a browser without the walk's cookie, so the walk's session remains. */
async function openSecondSession({ app, operations }: ApiWalk): Promise<void> {
  const login = operations.find(({ operation }) => operation.operationId === 'signIn');
  const body = login?.operation.requestBody?.content['application/json']?.example;
  await expectDone(app.request('POST', '/v1/auth/login', { body }));
}

/** Elects the universal pool, without which there is no allocation to make. */
async function electUniversal({ ask }: ApiWalk): Promise<void> {
  await expectDone(ask('PATCH', '/v1/tax/settings', { body: { digitalAssetScopeBefore2025: 'universal' } }));
}

/** Creates the link that the example uses up. */
async function plantReset({ app, userId }: ApiWalk, step: WalkStep): Promise<void> {
  const payload = { isMailed: true };
  await plantToken(app, 'password_reset', exampleOf(step).token ?? '', { userId: userId(), payload });
}

async function plantEmailChange({ app, userId }: ApiWalk, step: WalkStep): Promise<void> {
  const payload = { email: 'ann.fields@example.com' };
  await plantToken(app, 'email_change', exampleOf(step).token ?? '', { userId: userId(), payload });
}

/** Creates the link for another user, because an undo ends all sessions. */
async function plantUndo({ app }: ApiWalk, step: WalkStep): Promise<void> {
  const books = '6f2b1c34-5555-4555-8555-555555555555';
  const userId = '8d0e5a77-6666-4666-8666-666666666666';
  await app.books.asOwner(async (sql) => {
    await sql`insert into users (id, email) values (${userId}, 'thief@example.com')
      on conflict (id) do update set email = excluded.email`;
    await sql`insert into taxpayers (id, created_by) values (${books}, ${userId}) on conflict do nothing`;
    await sql`insert into memberships (taxpayer_id, user_id, role) values (${books}, ${userId}, 'owner')
      on conflict do nothing`;
  });
  const payload = { email: 'owner@example.com', requestedAt: null };
  await plantToken(app, 'email_undo', exampleOf(step).token ?? '', { userId, payload });
}

async function changeEmailBack({ app }: ApiWalk): Promise<void> {
  await app.books.asOwner(
    (sql) => sql`update users set email = 'ann@example.com' where email = 'ann.fields@example.com'`,
  );
}

async function plantChallenge(walk: ApiWalk, { media, operation }: WalkStep): Promise<void> {
  const example = media?.example as { passkey: { response: { clientDataJSON: string } } } | undefined;
  const challenge = parseChallenge(example?.passkey.response.clientDataJSON ?? '') ?? '';
  const userId = operation.operationId === 'createPasskey' ? walk.userId() : null;
  await plantToken(walk.app, 'passkey_challenge', challenge, { userId, payload: {} });
}

/** Invites the walk from another user, with the example's link if there is one. */
async function invitedBy(walk: ApiWalk, given: { kind: string; role: string }, token?: string): Promise<void> {
  const { app } = walk;
  const person = { email: 'jo@example.com', password: 'another horse, another battery' };
  const known = await app.request('POST', '/v1/auth/login', { body: person });
  const entered = known.ok ? known : await app.request('POST', '/v1/auth/register', { body: person });
  await app.books.asOwner(
    (sql) => sql`update users set plan = 'CPA', email_verified_at = now() where email = ${person.email}`,
  );
  const { email } = await walk.read<{ email: string }>('/v1/account');
  const cookie = sessionCookie(entered);
  await expectDone(app.request('POST', invitations, { body: { ...given, email }, cookie }));
  if (token === undefined) return;
  const [made] = await app.books.asOwner(
    (sql) => sql<{ id: string; userId: string }[]>`
      select id, user_id as "userId" from invitations where kind = ${given.kind} and state = 'open'
      order by created_at desc limit 1`,
  );
  const payload = { invitation: made?.id ?? '' };
  await plantToken(app, 'invitation', token, { userId: made?.userId ?? '', payload });
}

/** Lets a CPA request access, and the walk agree. */
async function grantAccess(walk: ApiWalk): Promise<void> {
  const token = 'mzxw6ytboi2gk3tdn5sgk4tfon2gs3th';
  await invitedBy(walk, { kind: 'request', role: 'preparer' }, token);
  const id = await inList(`${invitations}?open=true`, ({ kind }) => kind === 'request')(walk);
  await expectDone(walk.ask('POST', `${invitations}/${id}/accept`, { body: { token } }));
}

/** Sends a separate invitation to withdraw, because the previous one was resent or is already withdrawn. */
async function invite(walk: ApiWalk): Promise<void> {
  const response = await walk.ask('POST', invitations, {
    body: { kind: 'request', email: 'al@example.com', role: 'viewer' },
  });
  walk.answers.set('createInvitation', (await response.json()) as Record<string, unknown>);
}

/** Makes the example's code valid: it is the code for this key at this time. */
async function plantVerification(walk: ApiWalk, step: WalkStep): Promise<void> {
  const { token = '' } = exampleOf(step);
  const { id: userId, email } = await walk.read<{ id: string; email: string }>('/v1/account');
  await plantToken(walk.app, 'email_verification', token, { userId, payload: { email } });
}

async function plantSignInLink({ app, userId }: ApiWalk, step: WalkStep): Promise<void> {
  await plantToken(app, 'sign_in_link', exampleOf(step).token ?? '', { userId: userId(), payload: {} });
}

async function plantKey({ app, userId, setClock }: ApiWalk): Promise<void> {
  setClock(new Date('2026-03-03T11:20:30Z'));
  const { sealed, keyId } = await sealTotpKey(app.deps, userId(), 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP');
  await app.books.asOwner(
    (sql) => sql`update totp_keys set sealed = ${sealed}, key_id = ${keyId} where user_id = ${userId()}`,
  );
}

/** Requests the deletion of another user's account, with the example's link. */
async function plantDeletion({ app }: ApiWalk, step: WalkStep): Promise<void> {
  const books = '6f2b1c34-3333-4333-8333-333333333333';
  const user = '8d0e5a77-4444-4444-8444-444444444444';
  await app.books.asOwner(async (sql) => {
    await sql`insert into users (id) values (${user}) on conflict (id) do update set email = null`;
    await sql`insert into taxpayers (id, created_by) values (${books}, ${user}) on conflict do nothing`;
    await sql`insert into memberships (taxpayer_id, user_id, role) values (${books}, ${user}, 'owner')
      on conflict do nothing`;
    await sql`insert into account_deletions (user_id, email, requested_at, erase_at, by_operator)
      values (${user}, 'gone@example.com', now(), now() + interval '1 minute', false) on conflict do nothing`;
  });
  await plantToken(app, 'account_restore', exampleOf(step).token ?? '', { userId: user, payload: {} });
}

async function plantIdentity({ app, userId }: ApiWalk): Promise<void> {
  await app.books.asOwner(
    (sql) => sql`
      insert into identities (provider, subject, user_id, created_at) values ('google', '1', ${userId()}, now())
      on conflict do nothing`,
  );
}

/** Sets the cookie of a provider sign-in that waits for the code. */
async function plantPending(walk: ApiWalk, step: WalkStep): Promise<void> {
  await plantRecoveryCode(walk, step);
  const token = 'a'.repeat(32);
  await plantToken(walk.app, 'second_factor', token, { userId: walk.userId(), payload: {} });
  walk.setCookie(`${walk.cookie().split(';')[0]}; pending_sign_in=${token}`);
}

async function plantRecoveryCode({ app, userId }: ApiWalk, step: WalkStep): Promise<void> {
  const hash = recoveryHash(exampleOf(step).totp ?? '');
  await app.books.asOwner(
    (sql) => sql`
      insert into recovery_codes (user_id, code_hash) values (${userId()}, ${hash}) on conflict do nothing`,
  );
}

async function changePasswordBack({ ask }: ApiWalk, step: WalkStep): Promise<void> {
  const { current, password } = exampleOf(step);
  await expectDone(ask('POST', '/v1/auth/password', { body: { current: password, password: current } }));
}

async function importByMapping({ ask }: ApiWalk): Promise<void> {
  const columns = { 'Trade Date': 'date', Ticker: 'asset', Side: 'type', Qty: 'quantity', 'Unit Price': 'price' };
  const body = `${Object.keys(columns)}\n2024-01-05,IBM,Bought,10,100\n`;
  const mapping = encodeURIComponent(JSON.stringify({ columns }));
  await expectDone(ask('POST', `/v1/transactions/import?account=Mine&mapping=${mapping}`, csv(body)));
}

async function undoAnImport({ ask }: ApiWalk): Promise<void> {
  const body = 'date,type,account,asset,quantity,amount\n2024-08-02,buy,Ledger,ADA,3,1.20\n';
  const imported = await ask('POST', '/v1/transactions/import', csv(body));
  const { id } = (await imported.json()) as { id: string };
  await expectDone(ask('DELETE', `${imports}/${id}`));
}

/** Imports a deposit without a withdrawal. */
async function importHalfATransfer({ ask }: ApiWalk): Promise<void> {
  const body = 'date,type,account,asset,quantity\n2024-08-01T10:00:00Z,deposit,Ledger,SOL,3\n';
  await expectDone(ask('POST', '/v1/transactions/import', csv(body)));
}

/** Imports a trade in a ledger, and in a list of trades at another time on the same day. */
async function importTwiceInPart({ ask }: ApiWalk): Promise<void> {
  const ledger = [
    '"txid","refid","time","type","subtype","aclass","asset","amount","fee","balance"',
    '"T1a","T1","2024-01-05 10:00:00","trade","","currency","ZUSD",-100.0000,0.2600,0',
    '"T1b","T1","2024-01-05 10:00:00","trade","","currency","XXBT",0.0025,0,0.0025',
  ];
  const trades = [
    '"txid","ordertxid","pair","time","type","ordertype","price","cost","fee","vol","margin","misc","ledgers"',
    '"T1","OT1","XXBTZUSD","2024-01-05 15:00:00","buy","limit",40000.0,100.00000,0.26000,0.00250000,0.0,"","x"',
  ];
  for (const lines of [ledger, trades]) {
    await expectDone(ask('POST', '/v1/transactions/import', csv(`${lines.join('\n')}\n`)));
  }
}

async function importOfTwoAccounts({ ask }: ApiWalk): Promise<void> {
  const header =
    '"Activity Date","Process Date","Settle Date","Instrument","Description","Trans Code","Quantity","Price","Amount"';
  for (const asset of ['AAAA', 'BBBB']) {
    const bought = ['2/5/2024', '3/5/2024'].map(
      (day) => `"${day}","${day}","${day}","${asset}","${asset} Inc","Buy","1","$10.00","($10.00)"`,
    );
    await expectDone(ask('POST', '/v1/transactions/import', csv(`${[header, ...bought].join('\n')}\n`)));
  }
}

const csv = (body: string) => ({ body, headers: { 'content-type': 'text/csv' } });

function exampleOf({ media }: WalkStep): Record<string, string> {
  return media?.example as Record<string, string>;
}

async function expectDone(answer: Promise<Response>): Promise<void> {
  const response = await answer;
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  await response.body?.cancel();
}

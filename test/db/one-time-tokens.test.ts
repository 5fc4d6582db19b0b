import { expect, test } from 'bun:test';
import { connect, openPool } from '../../src/db/connection.ts';
import { migrate, migrations } from '../../src/db/migrate.ts';
import { linkTokenHash } from '../../src/features/people/auth/link-token.ts';
import { consumeToken, type TokenKind, tokenRules } from '../../src/features/people/auth/one-time-tokens.queries.ts';
import { dropDatabase, emptyDatabase } from '../support/database.ts';

const step = '0016_one_time_tokens';
/** Kinds that no earlier table contained. */
const laterKinds = ['email_undo', 'sign_in_link'] as const satisfies readonly TokenKind[];

test('links and flows in the old tables keep working after the step that merges the tables', async () => {
  const url = await emptyDatabase();
  const at = migrations.findIndex(({ name }) => name === step);
  await migrate(url, migrations.slice(0, at));
  const [user, invitation] = [crypto.randomUUID(), crypto.randomUUID()];
  const deleted = crypto.randomUUID();
  const hashOf = (kind: string) => linkTokenHash(`token of ${kind}`);
  const pool = openPool(url, 1);
  const later = pool`now() + interval '5 minutes'`;
  await pool`insert into users (id, email) values (${user}, 'ann@example.com'), (${deleted}, null)`;
  await pool`insert into password_resets values (${hashOf('password_reset')}, ${user}, ${later})`;
  await pool`insert into email_changes values (${hashOf('email_change')}, ${user}, 'new@example.com', ${later})`;
  await pool`insert into email_verifications values (${hashOf('email_verification')}, ${user}, 'ann@example.com', ${later})`;
  await pool`insert into pending_sign_ins values (${hashOf('second_factor')}, ${user}, ${later})`;
  await pool`
    insert into sign_in_flows (state_hash, provider, code_verifier, user_id, expires_at, time_zone)
    values (${hashOf('provider_sign_in')}, 'google', 'verifier', null, ${later}, 'Asia/Tokyo')`;
  await pool`insert into passkey_challenges values (${hashOf('passkey_challenge')}, ${user}, ${later})`;
  await pool`
    insert into account_deletions (user_id, email, token_hash, requested_at, erase_at, by_operator)
    values (${deleted}, 'gone@example.com', ${hashOf('account_restore')}, now(), ${later}, false)`;
  await pool`
    insert into invitations (user_id, id, kind, email, role, token_hash, created_at, expires_at)
    values (${user}, ${invitation}, 'request', 'jo@example.com', 'viewer', ${hashOf('invitation')}, now(), ${later})`;
  await pool.end();
  await migrate(url);

  const database = connect({ url, directUrl: null }, { connectionsMax: 1 });
  const take = (kind: TokenKind) =>
    database
      .asService((sql) => consumeToken(sql, kind, `token of ${kind}`))
      .then((open) => [open?.user?.userId ?? null, open?.payload]);
  const expected: Readonly<Record<Exclude<TokenKind, (typeof laterKinds)[number]>, [string | null, object]>> = {
    password_reset: [user, { isMailed: false }],
    email_change: [user, { email: 'new@example.com' }],
    email_verification: [user, { email: 'ann@example.com' }],
    account_restore: [deleted, {}],
    second_factor: [user, {}],
    provider_sign_in: [null, { provider: 'google', codeVerifier: 'verifier', timeZone: 'Asia/Tokyo' }],
    passkey_challenge: [user, {}],
    invitation: [user, { invitation }],
  };
  expect(
    Object.keys(tokenRules)
      .filter((kind) => !laterKinds.some((later) => later === kind))
      .sort(),
  ).toEqual(Object.keys(expected).sort());
  for (const [kind, open] of Object.entries(expected))
    expect({ kind, open: await take(kind as TokenKind) } as object).toEqual({ kind, open });
  await database.close();
  await dropDatabase(url);
});

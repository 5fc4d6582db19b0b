import { linkTokenHash } from '../../src/features/people/auth/link-token.ts';
import {
  issueToken,
  type TokenHolder,
  type TokenKind,
  type TokenPayloads,
} from '../../src/features/people/auth/one-time-tokens.queries.ts';
import type { TestApp } from './app.ts';

/** Returns the token from the newest emailed link to a path. Empty if no such link was emailed to the address. */
export async function mailedToken({ mails }: Pick<TestApp, 'mails'>, to: string, path: string): Promise<string> {
  const mail = (await mails()).findLast((each) => each.to === to && each.text.includes(`${path}#`));
  return new RegExp(`${path}#([a-z2-7]{32})\n`).exec(mail?.text ?? '')?.[1] ?? '';
}

/**
 * Creates an open token with a text chosen by the test, such as the one in an example in the OpenAPI document. Any
 * earlier token with the same text ends.
 */
export async function plantToken<Kind extends TokenKind>(
  { books }: Pick<TestApp, 'books'>,
  kind: Kind,
  token: string,
  { userId, payload }: { readonly userId: string | null; readonly payload: TokenPayloads[Kind] },
): Promise<void> {
  const [user] = await books.asOwner(async (sql) => {
    await sql`delete from one_time_tokens where token_hash = ${linkTokenHash(token)}`;
    return sql<TokenHolder[]>`select id as "userId", stamp from users where id = ${userId}`;
  });
  await books.database.asService(async (sql) => {
    await issueToken<TokenKind>(sql, kind, { holder: (user ?? null) as TokenHolder, payload, token, minutes: 10 });
  });
}

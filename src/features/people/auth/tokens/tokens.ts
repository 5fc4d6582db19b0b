import { Refusal } from '../../../../base/refusal.ts';
import type { Deps } from '../../../../deps.ts';
import { notFound, parseUuid } from '../../../../http/errors.ts';
import type { TokenScope } from '../../../../http/operations.ts';
import { postLetter } from '../../mail/delivery.ts';
import { tokenCreated } from '../../mail/templates.ts';
import type { Caller } from '../access.ts';
import { readClientBooks } from '../auth.queries.ts';
import { requireRecentSignIn, requireSameStamp } from '../recent-proof.ts';
import { secretHash } from '../session.ts';
import { newAccessToken, printToken } from './bearer.ts';
import { insertAccessToken, type TokenListRow } from './tokens.queries.ts';

/** More tokens than a person can keep track of. */
export const tokensMax = 50;
export const tokenLimit = `An account can have at most ${tokensMax} tokens.`;
export const tokenDaysMax = 366;
export const tokenDaysDefault = 90;

interface AccessTokenRequest {
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  readonly client?: string | null | undefined;
  readonly days?: number | undefined;
}

/** Creates a token and emails the owner. The token's text appears only in this response. */
export async function createToken(
  deps: Deps,
  caller: Caller,
  tokenRequest: AccessTokenRequest,
): Promise<{ readonly row: TokenListRow; readonly token: string }> {
  requireRecentSignIn(caller);
  const clientId = tokenRequest.client ?? null;
  const name = tokenRequest.name.trim();
  const token = newAccessToken();
  const row = await deps.database.asService(async (sql) => {
    await requireSameStamp(sql, caller);
    const isReached =
      clientId === null || (await readClientBooks(sql, caller.userId, parseUuid(clientId))) !== undefined;
    if (!isReached) throw notFound();
    const inserted = await insertAccessToken(
      sql,
      {
        id: token.id,
        userId: caller.userId,
        secretHash: secretHash(token.secret),
        name,
        scopes: [...new Set(tokenRequest.scopes)],
        clientId,
        days: tokenRequest.days ?? tokenDaysDefault,
      },
      tokensMax,
    );
    if (inserted === undefined) return undefined;
    const letter = tokenCreated(deps.config.baseUrl, { name, scopes: inserted.scopes });
    await postLetter(deps, sql, caller.email, letter);
    return inserted;
  });
  if (row === undefined) {
    throw new Refusal('conflict', `${tokenLimit} Revoke one that you no longer need.`);
  }
  return { row, token: printToken(token) };
}

import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { hostCookieHeader, readHostCookie } from '../../../http/cookies.ts';
import { deviceHash } from '../devices/device.ts';
import { knowsDevice } from '../devices/queries.ts';
import { linkTokenHash, newLinkToken } from '../link-token.ts';
import { openSessionHere, reportSignIn, type SignedInHere, wayWith } from '../sign-in.ts';
import { requireCode } from '../totp/codes.ts';
import { insertPending, readPending, takePending } from './queries.ts';

const pendingSeconds = 600;
const cookieName = 'pending_sign_in';

/** The cookie of a sign-in through a provider that waits for the second factor. */
export async function keepPending(sql: Sql, deps: Deps, userId: string): Promise<string> {
  const token = newLinkToken();
  await insertPending(sql, { tokenHash: linkTokenHash(token), userId, seconds: pendingSeconds });
  return pendingCookie(deps, token, pendingSeconds);
}

export function endedPendingCookie(deps: Deps): string {
  return pendingCookie(deps, '', 0);
}

/** Completes it by a code. A wrong one leaves it pending. */
export async function finishPending(deps: Deps, request: Request, code: string): Promise<SignedInHere> {
  const tokenHash = linkTokenHash(readHostCookie(request, cookieName) ?? '');
  const device = deviceHash(request);
  const user = await deps.database.asService(async (sql) => {
    const found = await readPending(sql, tokenHash);
    return found && { ...found, isKnownHere: await knowsDevice(sql, found.id, device) };
  });
  if (user === undefined) throw over();
  const factor = await requireCode(
    deps,
    { userId: user.id, device: user.isKnownHere ? device.toHex() : null, action: 'sign_in_failed' },
    code,
  );
  const signedIn = await deps.database.asService(async (sql) => {
    if (!(await takePending(sql, tokenHash))) throw over();
    return openSessionHere(sql, request, user.id, wayWith('provider', factor));
  });
  await reportSignIn(deps, request, user.email, signedIn);
  return signedIn;
}

function pendingCookie({ config }: Deps, token: string, maxAgeSeconds: number): string {
  return hostCookieHeader(cookieName, token, { maxAgeSeconds, secure: config.secure });
}

function over(): Refusal {
  return new Refusal('unauthenticated', 'This sign-in took too long, or is done already. Start again.');
}

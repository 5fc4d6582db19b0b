import { Refusal } from '../../../../base/refusal.ts';
import type { Sql } from '../../../../db/connection.ts';
import type { Deps } from '../../../../deps.ts';
import { hostCookieHeader, readHostCookie } from '../../../../http/cookies.ts';
import { deviceHash } from '../device.ts';
import { findDevice } from '../devices.queries.ts';
import { lifetimeMinutesOf } from '../one-time-token-kinds.ts';
import { consumeToken, findToken, issueToken, type TokenHolder } from '../one-time-tokens.queries.ts';
import { joinFactors, openSessionHere, reportSignIn, type SignedInHere } from '../sign-in.ts';
import { requireCode } from '../totp/codes.ts';

const pendingSeconds = lifetimeMinutesOf('second_factor') * 60;
const cookieName = 'pending_sign_in';

/** Returns the cookie for a provider sign-in that is waiting for the second factor. */
export async function keepPending(sql: Sql, deps: Deps, holder: TokenHolder): Promise<string> {
  const token = await issueToken(sql, 'second_factor', { holder, payload: {} });
  return pendingCookie(deps, token, pendingSeconds);
}

export function endedPendingCookie(deps: Deps): string {
  return pendingCookie(deps, '', 0);
}

/** Completes the sign-in with a code. After a wrong code, the user can try again. */
export async function finishPending(deps: Deps, request: Request, code: string): Promise<SignedInHere> {
  const token = readHostCookie(request, cookieName) ?? '';
  const pending = await deps.database.asService(async (sql) => {
    const open = await findToken(sql, 'second_factor', token);
    return open && { ...open.user, device: await findDevice(sql, open.user.userId, deviceHash(request)) };
  });
  if (pending === undefined || pending.email === null) throw over();
  const { email } = pending;
  const factor = await requireCode(
    deps,
    {
      userId: pending.userId,
      stamp: pending.stamp,
      email,
      place: { kind: 'browser', device: pending.device },
      action: 'sign_in_failed',
    },
    code,
  );
  const signedIn = await deps.database.asService(async (sql) => {
    if ((await consumeToken(sql, 'second_factor', token)) === undefined) throw over();
    return openSessionHere(sql, request, pending.userId, joinFactors('provider', factor));
  });
  await reportSignIn(deps, request, email, signedIn);
  return signedIn;
}

function pendingCookie({ config }: Deps, token: string, maxAgeSeconds: number): string {
  return hostCookieHeader(cookieName, token, { maxAgeSeconds, secure: config.secure });
}

function over(): Refusal {
  return new Refusal('unauthenticated', 'This sign-in took too long or is already complete. Start again.');
}

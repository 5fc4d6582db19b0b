import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { nameActor } from '../../../http/audit/audited-request.ts';
import { hostCookieHeader, readHostCookie } from '../../../http/cookies.ts';
import { notFound } from '../../../http/errors.ts';
import { postLetter } from '../mail/delivery.ts';
import { signInMethodChanged } from '../mail/templates.ts';
import type { Caller } from './access.ts';
import { deleteIdentity, insertIdentity, type Provider, providers } from './auth.queries.ts';
import { deviceHash } from './device.ts';
import { findDevice } from './devices.queries.ts';
import { consumeToken, findToken, issueToken, lifetimeMinutesOf, type TokenHolder } from './one-time-tokens.queries.ts';
import { requireOtherSignInMethod, requireRecentSignIn, requireSameStamp } from './recent-proof.ts';
import { joinFactors, openSessionHere, reportSignIn, type SignedInHere } from './sign-in.ts';
import { requireCode } from './totp/codes.ts';

const providerNames: Readonly<Record<Provider, string>> = { google: 'Google', github: 'GitHub' };

/** Links an account at a provider, which can then sign in to this account. The email addresses may differ. */
export async function linkIdentity(
  deps: Deps,
  user: TokenHolder & { readonly email: string },
  provider: Provider,
  subject: string,
): Promise<void> {
  const identity = { provider, subject, userId: user.userId, now: deps.clock.now() };
  const isLinked = await deps.database.asService(async (sql) => {
    await requireSameStamp(sql, user);
    const isNew = await insertIdentity(sql, identity);
    if (!isNew) return false;
    nameActor({ kind: 'found', userId: user.userId, isProven: true }, 'identity_linked');
    await mailChange(deps, sql, { email: user.email, provider, how: 'added' });
    return true;
  });
  if (!isLinked) {
    const name = providerNames[provider];
    throw new Refusal(
      'conflict',
      `This ${name} account is already linked to an account here, or your account already has a linked ${name} account. Unlink it first.`,
    );
  }
}

export async function unlinkIdentity(deps: Deps, caller: Caller, name: string): Promise<void> {
  const provider = providers.find((known) => known === name);
  if (provider === undefined) throw notFound();
  requireRecentSignIn(caller);
  await deps.database.asService(async (sql) => {
    if (!(await deleteIdentity(sql, caller.userId, provider))) throw notFound();
    await requireOtherSignInMethod(sql, caller.userId);
    await mailChange(deps, sql, { email: caller.email, provider, how: 'removed' });
  });
}

async function mailChange(
  deps: Deps,
  sql: Sql,
  { email, provider, how }: { readonly email: string; readonly provider: Provider; readonly how: 'added' | 'removed' },
): Promise<void> {
  const letter = signInMethodChanged(deps.config.baseUrl, `A ${providerNames[provider]} account`, how);
  await postLetter(deps, sql, email, letter);
}

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

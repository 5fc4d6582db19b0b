import { Refusal } from '../../../../base/refusal.ts';
import type { Sql } from '../../../../db/connection.ts';
import type { Deps } from '../../../../deps.ts';
import { nameActor } from '../../../../http/audit/audited-request.ts';
import { notFound } from '../../../../http/errors.ts';
import { buildMail } from '../../mail/letter.ts';
import { postMail } from '../../mail/post.ts';
import { signInMethodChanged } from '../../mail/templates/sign-in-method-changed.ts';
import type { Caller } from '../access.ts';
import { insertIdentity, type Provider, providers } from '../auth.queries.ts';
import { requireOtherSignInMethod } from '../last-method.ts';
import type { TokenHolder } from '../one-time-tokens.queries.ts';
import { requireRecentSignIn } from '../proof/recent.ts';
import { requireSameStamp } from '../proof/stamp.ts';
import { deleteIdentity } from './identities.queries.ts';

export const providerNames: Readonly<Record<Provider, string>> = { google: 'Google', github: 'GitHub' };

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
  await postMail(deps, sql, buildMail(email, letter));
}

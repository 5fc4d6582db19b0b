import { Refusal } from '../../../base/refusal.ts';
import type { Deps } from '../../../deps.ts';
import { ruleOf } from '../../../http/operations/operations.ts';
import { factsOf } from '../../../http/requests.ts';

/** Refuses what outlives a session to an account whose address nobody confirmed. The table of operations names it. */
export function requireVerifiedEmail(
  { config }: Pick<Deps, 'config'>,
  request: Request,
  { email, isVerified }: { readonly email: string; readonly isVerified: boolean },
): void {
  const { route } = factsOf(request);
  if (isVerified || route === null || ruleOf(route)?.needsVerifiedEmail !== true) return;
  // On a server without mail a link would be copied, not mailed, and prove nothing.
  const way =
    config.mail === null
      ? `This server sends no mail: ask whoever runs it for "lotbook user verify ${email}".`
      : 'Use the link that was mailed to it, or ask for another one under Account (POST /v1/auth/email/verification).';
  throw new Refusal('email_unverified', `Confirm your e-mail address first. ${way}`);
}

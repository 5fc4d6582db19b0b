import { Refusal } from '../../../base/refusal.ts';
import type { Deps } from '../../../deps.ts';
import { ruleOf } from '../../../http/operations/operations.ts';
import { getRequestFacts } from '../../../http/requests.ts';

/**
 * Rejects operations that outlive a session until the email address is confirmed. The table of operations marks them.
 */
export function requireVerifiedEmail(
  { config }: Pick<Deps, 'config'>,
  request: Request,
  { email, isVerified }: { readonly email: string; readonly isVerified: boolean },
): void {
  const { route } = getRequestFacts(request);
  if (isVerified || route === null || ruleOf(route)?.needsVerifiedEmail !== true) return;
  // Without email, the link could only be copied and would prove nothing.
  const nextStep =
    config.mail === null
      ? `This server sends no email. Ask its administrator to run "lotbook user verify ${email}".`
      : 'Use the link in the confirmation email, or request another one under Account (POST /v1/auth/email/verification).';
  throw new Refusal('email_unverified', `Confirm your email address first. ${nextStep}`);
}

import { Refusal } from '../../../../base/refusal.ts';
import type { Config } from '../../../../config.ts';
import type { Deps } from '../../../../deps.ts';
import { getRequestFacts } from '../../../../http/requests.ts';

/**
 * Rejects operations that outlive a session until the email address is confirmed. Their routes declare this (`lasting`).
 */
export function requireVerifiedEmail(
  { config }: Pick<Deps, 'config'>,
  request: Request,
  { email, isVerified }: { readonly email: string; readonly isVerified: boolean },
): void {
  const { route } = getRequestFacts(request);
  if (isVerified || route?.operation?.needsVerifiedEmail !== true) return;
  throw new Refusal('email_unverified', confirmFirst(config, email));
}

export function confirmFirst({ mail }: Pick<Config, 'mail'>, email: string): string {
  // Without email, the link could only be copied and would prove nothing.
  const nextStep =
    mail === null
      ? `This server sends no email. Ask its administrator to run "lotbook user verify ${email}".`
      : 'Use the link in the confirmation email, or request another one under Account (POST /v1/auth/email/verification).';
  return `Confirm your email address first. ${nextStep}`;
}

import { account } from '../../api/session.ts';
import { useSendsMail } from '../../api/status.ts';
import { Icon, LinkButton } from '../../parts/button.tsx';
import { MailVerification } from '../../parts/mail-verification.tsx';
import { Page } from '../../parts/page.tsx';

/** Lists what an unconfirmed email address blocks, and how to confirm it. Renders nothing once confirmed. */
export function Unverified() {
  const user = account.value;
  const sendsMail = useSendsMail();
  if (!user || user.demo || user.emailVerified) return null;
  return (
    <div class="notice" role="status">
      <Icon name="warning" />
      <div>
        <p>
          <strong>Confirm your email address.</strong> Until then you can import and calculate, but you can't create
          tokens, passkeys, linked accounts or invitations, set up two-step sign-in, or buy a plan.
        </p>
        <p>
          {sendsMail ? (
            `Use the link we emailed to ${user.email}.`
          ) : (
            <>
              This server can't send email. Ask its administrator to run <code>lotbook user verify {user.email}</code>.
            </>
          )}
        </p>
      </div>
      <MailVerification />
    </div>
  );
}

/** Shown in the demo instead of the account pages. */
export function NoAccount({ title }: { readonly title: string }) {
  return (
    <Page title={title} lead="You're in the demo and don't have an account yet.">
      <p class="actions">
        <LinkButton label="Create account" isPrimary href="/register" />
      </p>
    </Page>
  );
}

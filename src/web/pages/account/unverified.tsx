import { useServerConfig } from '../../api/server-config.ts';
import { account } from '../../api/session.ts';
import { Icon } from '../../parts/icon.tsx';
import { MailVerification } from '../../parts/mail-verification.tsx';

/** What waits until the address is confirmed, and the way there; nothing once it is. */
export function Unverified() {
  const user = account.value;
  const sendsMail = useServerConfig().data?.mail ?? true;
  if (!user || user.demo || user.emailVerified) return null;
  return (
    <div class="notice" role="status">
      <Icon name="warning" />
      <div>
        <p>
          <strong>Confirm your e-mail address.</strong> Until then you can import and calculate, but not make tokens,
          passkeys, linked accounts or invitations, set up two-step sign-in, or buy a plan.
        </p>
        <p>
          {sendsMail
            ? `Use the link that we mailed to ${user.email}.`
            : `This server sends no mail. Ask whoever runs it to confirm ${user.email}.`}
        </p>
      </div>
      <MailVerification />
    </div>
  );
}

import { api, unwrapResponse } from '../../api/api.ts';
import { MailedLink } from '../email/mailed-link.tsx';

/** The page for the link in the email about a deleted account. */
export default function RestoreAccount() {
  return (
    <MailedLink
      title="Restore your account"
      lead="All your records will be restored, and you can sign in as before. People you gave access need a new invitation."
      verb="Cancel deletion"
      use={(token) => unwrapResponse(api.account.restore.post({ token }))}
      done={{ title: 'Your account is restored', lead: 'None of your records were lost. Sign in as before.' }}
    >
      <a class="button" href="/">
        Leave it deleted
      </a>
    </MailedLink>
  );
}

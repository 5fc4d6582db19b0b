import { api, got } from '../../api/api.ts';
import { MailedLink } from '../email/mailed-link.tsx';

/** Where the link in the mail about a deleted account leads. */
export default function RestoreAccount() {
  return (
    <MailedLink
      title="Take the deletion of your account back"
      lead="All its books are there again, and you sign in as before. Whom you let in, you invite again."
      verb="Take it back"
      use={(token) => got(api.account.restore.post({ token }))}
      done={{ title: 'Your account is there again', lead: 'Nothing of its books was lost. Sign in as before.' }}
    >
      <a class="button" href="/">
        Leave it deleted
      </a>
    </MailedLink>
  );
}

import { api, got } from '../../api/api.ts';
import { MailedLink } from './mailed-link.tsx';

/** Where the link in the mail to a new account leads. */
export default function EmailVerify() {
  return (
    <MailedLink
      lead="So that we know that our mails reach you."
      use={(token) => got(api.auth.email.verify.post({ token }))}
      done={{ title: 'Your e-mail address is confirmed', lead: 'A lost password can be set anew by a mail to it.' }}
    >
      <a class="button" href="/">
        Not now
      </a>
    </MailedLink>
  );
}

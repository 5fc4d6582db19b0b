import { api, unwrapResponse } from '../../api/api.ts';
import { MailedLink } from './mailed-link.tsx';

/** The page for the link in the email to a new account. */
export default function EmailVerify() {
  return (
    <MailedLink
      lead="Confirm that our email reaches you."
      use={(token) => unwrapResponse(api.auth.email.verify.post({ token }))}
      done={{ title: 'Your email address is confirmed', lead: 'You can now reset a forgotten password by email.' }}
    >
      <a class="button" href="/">
        Not now
      </a>
    </MailedLink>
  );
}

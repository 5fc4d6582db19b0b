import { api, got } from '../../api/api.ts';
import { MailedLink } from './mailed-link.tsx';

/** Where the link in the mail to a new address leads. */
export default function EmailConfirm() {
  return (
    <MailedLink
      lead="It is yours, and you sign in with it from then on."
      use={(token) => got(api.auth.email.confirm.post({ token }))}
      done={{ title: 'Your e-mail address is changed', lead: 'From now on you sign in with the new one.' }}
    />
  );
}

import { api, unwrapResponse } from '../../api/api.ts';
import { MailedLink } from './mailed-link.tsx';

/** The page for the link that confirms a new email address. */
export default function EmailConfirm() {
  return (
    <MailedLink
      lead="Confirm that it's yours. You'll sign in with it from then on."
      use={(token) => unwrapResponse(api.auth.email.confirm.post({ token }))}
      done={{ title: 'Your email address is changed', lead: 'From now on, sign in with the new address.' }}
    />
  );
}

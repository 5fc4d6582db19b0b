import { api, got } from '../../api/api.ts';
import { MailedLink } from './mailed-link.tsx';

/** Where the link in the mail to the previous address leads. */
export default function EmailUndo() {
  return (
    <MailedLink
      title="Keep your e-mail address"
      lead="A change that is not confirmed yet is canceled. One that is confirmed is undone: all sessions end, and the password is removed, with everything added since the day before the request: tokens, passkeys, linked accounts, invitations and access for others. We then mail you a link that sets a new password."
      verb="Keep my address"
      use={(token) => got(api.auth.email.undo.post({ token }))}
      done={({ outcome }) => (outcome === 'undone' ? undone : canceled)}
      renewal={null}
    >
      <a class="button" href="/">
        Keep the new address
      </a>
    </MailedLink>
  );
}

const reset = { label: 'Set a new password', href: '/reset' };

const canceled = {
  title: 'The change is canceled',
  lead: 'Your e-mail address stays as it is. If you did not ask for the change, somebody else reached your account. Set a new password now: all sessions end then.',
  next: reset,
};

const undone = {
  title: 'Your account has its e-mail address back',
  lead: 'All sessions have ended. We mailed you a link that sets a new password. If it does not arrive, ask for another one.',
  next: { ...reset, label: 'Ask for another link' },
};

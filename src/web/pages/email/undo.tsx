import { api, unwrapResponse } from '../../api/api.ts';
import { MailedLink } from './mailed-link.tsx';

/** The page for the link in the email to the previous address. */
export default function EmailUndo() {
  return (
    <MailedLink
      title="Keep your email address"
      lead="A change that isn't confirmed yet is canceled. A confirmed change is undone: all sessions end, and we remove the password and everything added since the day before the request (tokens, passkeys, linked accounts, invitations and access for others). We then email you a link to set a new password."
      verb="Keep my address"
      use={(token) => unwrapResponse(api.auth.email.undo.post({ token }))}
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
  lead: "Your email address stays the same. If you didn't request the change, someone else had access to your account. Set a new password now; that ends all sessions.",
  next: reset,
};

const undone = {
  title: 'Your email address is restored',
  lead: "All sessions have ended. We emailed you a link to set a new password. If it doesn't arrive, request another one.",
  next: { ...reset, label: 'Request another link' },
};

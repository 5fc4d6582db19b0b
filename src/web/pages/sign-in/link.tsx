import { api, unwrapResponse } from '../../api/api.ts';
import { MailedLink } from '../email/mailed-link.tsx';

/** The page for the link emailed after many wrong passwords for an account. */
export default function SignInLink() {
  return (
    <MailedLink
      title="Use this browser to sign in"
      lead="Someone entered many wrong passwords or codes for your account. Confirm that this browser is yours. Continue only if you just tried to sign in."
      verb="Use this browser"
      use={(token) => unwrapResponse(api.auth.login.link.post({ token }))}
      done={{
        title: 'You can sign in with this browser',
        lead: 'Sign in again.',
        next: { label: 'Sign in', href: '/sign-in' },
      }}
      renewal="/sign-in"
    />
  );
}

import { api, got } from '../api/api.ts';
import { useServerConfig } from '../api/server-config.ts';
import { account } from '../api/session.ts';
import { say, sayProblem } from './toasts.tsx';

/** Mails another link that confirms the address; nothing on a server that sends no mail. */
export function MailVerification() {
  const sendsMail = useServerConfig().data?.mail ?? false;
  const email = account.value?.email;
  if (!sendsMail || email === undefined) return null;
  const mail = async () => {
    await got(api.auth.email.verification.post());
    say(`A link is on its way to ${email}.`);
  };
  return (
    <button type="button" onClick={() => mail().catch(sayProblem)}>
      Mail me a link
    </button>
  );
}

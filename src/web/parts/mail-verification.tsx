import { api, unwrapResponse } from '../api/api.ts';
import { account } from '../api/session.ts';
import { useSendsMail } from '../api/status.ts';
import { sayEmailed } from '../api/toasts.ts';
import { ActionButton } from './button.tsx';

/** Sends another link that confirms the address. Renders nothing if the server cannot send email. */
export function MailVerification() {
  const sendsMail = useSendsMail();
  const email = account.value?.email;
  if (!sendsMail || email === undefined) return null;
  const mail = async () => {
    await unwrapResponse(api.auth.email.verification.post());
    sayEmailed(email);
  };
  return <ActionButton label="Resend link" act={mail} />;
}

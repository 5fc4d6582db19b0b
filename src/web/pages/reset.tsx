import { useState } from 'preact/hooks';
import { api, unwrapResponse } from '../api/api.ts';
import { useSendsMail } from '../api/status.ts';
import { Button, LinkButton } from '../parts/button.tsx';
import { Form } from '../parts/form.tsx';
import { Page } from '../parts/page.tsx';

/** Requests a link that sets a new password. */
export default function Reset() {
  const [requested, setRequested] = useState<string | null>(null);
  const sendsMail = useSendsMail();
  if (requested !== null) {
    return (
      <Page title="Check your email">
        <p role="status">
          If {requested} has an account, we've emailed a link to it. It works once, within 30 minutes. Didn't get it?
          Check your spam folder and the address.
        </p>
        <p class="actions">
          <Button label="Use another address" onClick={() => setRequested(null)} />
          <LinkButton label="Back to sign-in" href="/sign-in" />
        </p>
      </Page>
    );
  }
  return (
    <Page title="Set a new password" lead="We'll email you a link.">
      <Form
        class="card narrow"
        draft="sign-in"
        keep={['email']}
        lead={
          !sendsMail && (
            <p class="notice">
              This server can't send email. Request the link here, then ask its administrator for it.
            </p>
          )
        }
        fields={{ email: { label: 'Email', type: 'email', autoComplete: 'username', isRequired: true } }}
        verb="Request link"
        busy="Please wait…"
        look="primary wide"
        onSubmit={async ({ email }) => {
          await unwrapResponse(api.auth.password.reset.post({ email }));
          setRequested(email);
        }}
      />
      <p>
        Remembered it? <a href="/sign-in">Sign in</a>.
      </p>
    </Page>
  );
}

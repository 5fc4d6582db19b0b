import { api, unwrapResponse } from '../../api/api.ts';
import { useSendsMail } from '../../api/server-config.ts';
import { Form } from '../../parts/form.tsx';
import { sayEmailed } from '../../parts/toasts.tsx';

/** Changes the email address for signing in. The change takes effect when the user opens the emailed link. */
export function EmailForm({ email }: { readonly email: string }) {
  if (!useSendsMail()) {
    return (
      <section class="card">
        <h2>Email address</h2>
        <p>
          You sign in as {email}. Changing it requires a link by email, and this server can't send email. Ask its
          administrator to set it up.
        </p>
      </section>
    );
  }
  return (
    <Form
      class="card"
      title="Email address"
      lead={<p>You sign in as {email}.</p>}
      fields={{ email: { label: 'New email address', type: 'email', autoComplete: 'email', isRequired: true } }}
      verb="Send verification link"
      busy="Sending…"
      look=""
      onSubmit={async (change) => {
        await unwrapResponse(api.auth.email.post(change));
        sayEmailed(change.email, 'Your address changes when you open it.');
      }}
    />
  );
}

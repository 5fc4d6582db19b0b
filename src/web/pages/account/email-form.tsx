import { useState } from 'preact/hooks';
import { api, unwrapResponse } from '../../api/api.ts';
import { useServerConfig } from '../../api/server-config.ts';
import { Field } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { sayEmailed } from '../../parts/toasts.tsx';
import { useAction } from '../../parts/use-action.ts';

/** Changes the email address for signing in. The change takes effect when the user opens the emailed link. */
export function EmailForm({ email }: { readonly email: string }) {
  const [wanted, setWanted] = useState('');
  const { act, problem, isBusy, problemOfField } = useAction();
  const sendsMail = useServerConfig().data?.mail ?? true;
  if (!sendsMail) {
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
  const ask = async () => {
    await unwrapResponse(api.auth.email.post({ email: wanted }));
    sayEmailed(wanted, 'Your address changes when you open it.');
  };
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        void act(ask);
      }}
    >
      <h2>Email address</h2>
      <p>You sign in as {email}.</p>
      {problem !== null && <ProblemNotice problem={problem} />}
      <div class="fields">
        <Field
          label="New email address"
          type="email"
          autoComplete="email"
          isRequired
          value={wanted}
          onInput={setWanted}
          problem={problemOfField('email')}
        />
      </div>
      <button type="submit" disabled={isBusy}>
        Send verification link
      </button>
    </form>
  );
}

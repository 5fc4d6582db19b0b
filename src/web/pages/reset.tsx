import { useState } from 'preact/hooks';
import { api, unwrapResponse } from '../api/api.ts';
import { useDraft } from '../api/draft.ts';
import { useSendsMail } from '../api/server-config.ts';
import { Field } from '../parts/field.tsx';
import { Page } from '../parts/page.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { useAction } from '../parts/use-action.ts';

/** Requests a link that sets a new password. */
export default function Reset() {
  const [{ email }, setDraft] = useDraft('sign-in', { email: '' });
  const [isAsked, setAsked] = useState(false);
  const { act, problem, isBusy, problemOfField } = useAction();
  const sendsMail = useSendsMail();
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    const done = await act(async () => {
      await unwrapResponse(api.auth.password.reset.post({ email }));
    });
    if (done) setAsked(true);
  }
  if (isAsked) {
    return (
      <Page title="Check your email">
        <p role="status">
          If {email} has an account, we've emailed a link to it. It works once, within 30 minutes. Didn't get it? Check
          your spam folder and the address.
        </p>
        <p class="actions">
          <button type="button" onClick={() => setAsked(false)}>
            Use another address
          </button>
          <a class="button" href="/sign-in">
            Back to sign-in
          </a>
        </p>
      </Page>
    );
  }
  return (
    <Page title="Set a new password" lead="We'll email you a link.">
      <form class="card narrow" onSubmit={submit}>
        {problem !== null && <ProblemNotice problem={problem} />}
        {!sendsMail && (
          <p class="notice">This server can't send email. Request the link here, then ask its administrator for it.</p>
        )}
        <Field
          label="Email"
          type="email"
          autoComplete="username"
          isRequired
          value={email}
          onInput={(text) => setDraft({ email: text })}
          problem={problemOfField('email')}
        />
        <button type="submit" class="primary wide" disabled={isBusy}>
          {isBusy ? 'Please wait…' : 'Request link'}
        </button>
      </form>
      <p>
        Remembered it? <a href="/sign-in">Sign in</a>.
      </p>
    </Page>
  );
}

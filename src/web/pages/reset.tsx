import { useState } from 'preact/hooks';
import { api, got } from '../api/api.ts';
import { useDraft } from '../api/draft.ts';
import { useServerConfig } from '../api/server-config.ts';
import { Field } from '../parts/field.tsx';
import { Page } from '../parts/page.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { useAct } from '../parts/use-act.ts';

/** Asks for a link that sets a new password. */
export default function Reset() {
  const [{ email }, setDraft] = useDraft('sign-in', { email: '' });
  const [isAsked, setAsked] = useState(false);
  const { act, problem, isBusy, problemOfField } = useAct();
  const sendsMail = useServerConfig().data?.mail ?? true;
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    const done = await act(async () => {
      await got(api.auth.password.reset.post({ email }));
    });
    if (done) setAsked(true);
  }
  if (isAsked) {
    return (
      <Page title="Look into your mail">
        <p role="status">
          If {email} has an account, a link is on its way there. It works once, within 30 minutes. Nothing came? Look
          into the spam folder, and check the address.
        </p>
        <p class="actions">
          <button type="button" onClick={() => setAsked(false)}>
            Another address
          </button>
          <a class="button" href="/sign-in">
            Back to the sign-in
          </a>
        </p>
      </Page>
    );
  }
  return (
    <Page title="Set a new password" lead="We mail you a link for it.">
      <form class="card narrow" onSubmit={submit}>
        {problem !== null && <ProblemNotice problem={problem} />}
        {!sendsMail && (
          <p class="notice">
            This server sends no mail yet. Whoever runs it can give you the link that you ask for here.
          </p>
        )}
        <Field
          label="E-mail"
          type="email"
          autoComplete="username"
          isRequired
          value={email}
          onInput={(text) => setDraft({ email: text })}
          problem={problemOfField('email')}
        />
        <button type="submit" class="primary wide" disabled={isBusy}>
          {isBusy ? 'One moment…' : 'Ask for the link'}
        </button>
      </form>
      <p>
        You know it? <a href="/sign-in">Sign in</a>.
      </p>
    </Page>
  );
}

import { useState } from 'preact/hooks';
import { type ResetChoices, resetPassword } from '../../api/session.ts';
import { Field } from '../../parts/field.tsx';
import { Page } from '../../parts/page.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { newPasswordHint } from '../../parts/sign-in/sign-in-form.tsx';
import { useAction } from '../../parts/use-action.ts';
import { UsedLink } from '../email/mailed-link.tsx';
import { ResetChoicesForm } from './choices.tsx';
import { usePreview } from './preview.ts';

/** The page for the reset link. The token is in the URL fragment (#), which servers never receive. */
export default function ResetConfirm() {
  const [token] = useState(() => location.hash.slice(1));
  const [password, setPassword] = useState('');
  const [isDone, setDone] = useState(false);
  const [choices, setChoices] = useState<ResetChoices>({ end: [], deleteBooks: false });
  const { preview, isRefused } = usePreview(token);
  const { act, problem, isBusy, problemOfField } = useAction();
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    if (await act(() => resetPassword(token, password, choices))) setDone(true);
  }
  if (isDone) {
    return (
      <Page title="Your new password is set" lead="All sessions have ended. Sign in with the new password.">
        <p class="actions">
          <a class="button primary" href="/sign-in">
            Sign in
          </a>
        </p>
      </Page>
    );
  }
  if (token === '' || isRefused || problemOfField('token') !== undefined) {
    return <UsedLink lead="Links work once, within 30 minutes. Nothing was changed." renewal="/reset" />;
  }
  return (
    <Page title="Set a new password">
      <form class="card narrow" onSubmit={submit}>
        {problem !== null && <ProblemNotice problem={problem} />}
        <Field
          label="New password"
          type="password"
          autoComplete="new-password"
          isRequired
          value={password}
          onInput={setPassword}
          hint={newPasswordHint}
          problem={problemOfField('password')}
        />
        {preview !== null && <ResetChoicesForm preview={preview} choices={choices} onChange={setChoices} />}
        <button type="submit" class="primary wide" disabled={isBusy}>
          {isBusy ? 'Please wait…' : 'Set password'}
        </button>
      </form>
    </Page>
  );
}

import { useState } from 'preact/hooks';
import { api, unwrapResponse } from '../../api/api.ts';
import { booksChanged } from '../../api/changes.ts';
import { Field } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { say } from '../../parts/toasts.tsx';
import { useAction } from '../../parts/use-action.ts';

/**
 * Sets a new password and ends the sessions on other devices. The form contains the email address for password
 * managers.
 */
export function PasswordForm({ email }: { readonly email: string }) {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const { act, problem, isBusy, problemOfField } = useAction();
  const change = async () => {
    await unwrapResponse(api.auth.password.post({ password, ...(current === '' ? {} : { current }) }));
    setCurrent('');
    setPassword('');
    booksChanged();
    say('Password changed. Other devices are signed out.');
  };
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        void act(change);
      }}
    >
      <h2>Password</h2>
      {problem !== null && <ProblemNotice problem={problem} />}
      <input
        class="visually-hidden"
        type="email"
        autoComplete="username"
        value={email}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <div class="fields">
        <Field
          label="Current password"
          type="password"
          autoComplete="current-password"
          value={current}
          onInput={setCurrent}
          hint="Leave blank if you've only signed in with Google or GitHub."
        />
        <Field
          label="New password"
          type="password"
          autoComplete="new-password"
          isRequired
          value={password}
          onInput={setPassword}
          hint="Use at least 8 characters. Signs out your other devices."
          problem={problemOfField('password')}
        />
      </div>
      <button type="submit" disabled={isBusy}>
        Change password
      </button>
    </form>
  );
}

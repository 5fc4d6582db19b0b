import { useState } from 'preact/hooks';
import { useDraft } from '../../api/draft.ts';
import { type Problem, problemOf } from '../../api/problem.ts';
import { Field } from '../field.tsx';
import { ProblemNotice } from '../problem-notice.tsx';

interface SignInFormProps {
  readonly verb: string;
  readonly isNew: boolean;
  readonly onSubmit: (email: string, password: string, totp: string) => Promise<void>;
}

/** E-mail and password, for signing in and for a new account. */
export function SignInForm({ verb, isNew, onSubmit }: SignInFormProps) {
  const [{ email }, setDraft, forget] = useDraft('sign-in', { email: '' });
  const [password, setPassword] = useState('');
  const [totp, setTotp] = useState('');
  /** What the account has beside the password; empty until it is asked for. */
  const [factors, setFactors] = useState<readonly unknown[]>([]);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const problemOfField = (name: string) => problem?.fields.find(({ pointer }) => pointer === `/${name}`)?.detail;
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await onSubmit(email, password, totp);
      forget();
    } catch (error) {
      const found = problemOf(error);
      if (found.code === 'totp_required') setFactors([found.members.factors ?? []].flat());
      setProblem(found);
    }
    setBusy(false);
  }
  return (
    <form class="card narrow" onSubmit={submit}>
      {problem !== null && <ProblemNotice problem={problem} />}
      <Field
        label="E-mail"
        type="email"
        autoComplete="username"
        isRequired
        value={email}
        onInput={(text) => setDraft({ email: text })}
        problem={problemOfField('email')}
      />
      <Field
        label="Password"
        type="password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        isRequired
        value={password}
        onInput={setPassword}
        hint={isNew ? 'At least 8 characters. A sentence is easy to remember and hard to guess.' : undefined}
        problem={problemOfField('password')}
      />
      {factors.length > 0 && (
        <Field
          label="Code"
          autoComplete="one-time-code"
          isRequired
          value={totp}
          onInput={setTotp}
          hint={
            factors.includes('app')
              ? 'Of your authenticator app, or one of your recovery codes.'
              : 'One of your recovery codes. Or use the passkey, below.'
          }
        />
      )}
      <button type="submit" class="primary wide" disabled={isBusy}>
        {isBusy ? 'One moment…' : verb}
      </button>
    </form>
  );
}

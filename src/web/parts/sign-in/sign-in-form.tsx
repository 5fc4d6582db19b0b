import { useEffect, useRef, useState } from 'preact/hooks';
import { useDraft } from '../../api/draft.ts';
import { type Problem, toProblem } from '../../api/problem.ts';
import { longDay } from '../../format/dates.ts';
import { Field } from '../field.tsx';
import { Icon } from '../icon.tsx';
import { ProblemNotice } from '../problem-notice.tsx';
import { CodeField } from './code-field.tsx';

export const newPasswordHint =
  'Use at least 8 characters. Tip: a short sentence is easy to remember and hard to guess.';

interface SignInFormProps {
  readonly verb: string;
  readonly isNew: boolean;
  readonly onSubmit: (email: string, password: string, totp: string, restore: boolean) => Promise<void>;
}

/** Email and password, for signing in and for registering. */
export function SignInForm({ verb, isNew, onSubmit }: SignInFormProps) {
  const [{ email }, setDraft, forget] = useDraft('sign-in', { email: '' });
  const [password, setPassword] = useState('');
  const [totp, setTotp] = useState('');
  /** The account's second factors. Empty until the server requires one. */
  const [factors, setFactors] = useState<readonly unknown[]>([]);
  /** Set for a deleted account, in which case the next attempt cancels the deletion. */
  const [erasedAt, setErasedAt] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const problemOfField = (name: string) => problem?.fields.find(({ pointer }) => pointer === `/${name}`)?.detail;
  // The fields show their own errors.
  const isShownAtField = ['email', 'password'].some((name) => problemOfField(name) !== undefined);
  const form = useRef<HTMLFormElement>(null);
  // A screen reader reads the error with the field.
  useEffect(() => {
    if (isShownAtField) form.current?.querySelector<HTMLInputElement>('[aria-invalid=true]')?.focus();
  }, [problem]);
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await onSubmit(email, password, totp, erasedAt !== null);
      forget();
    } catch (error) {
      const signInProblem = toProblem(error);
      if (signInProblem.code === 'totp_required') setFactors([signInProblem.members.factors ?? []].flat());
      if (signInProblem.code === 'account_deleted') setErasedAt(String(signInProblem.members.erasedAt));
      else setProblem(signInProblem);
    }
    setBusy(false);
  }
  return (
    <form ref={form} class="card narrow" onSubmit={submit}>
      {problem !== null && !isShownAtField && <ProblemNotice problem={problem} />}
      {erasedAt !== null && <DeletedNotice erasedAt={erasedAt} />}
      <Field
        label="Email"
        type="email"
        autoComplete="username"
        isRequired
        value={email}
        onInput={(text) => {
          setDraft({ email: text });
          setErasedAt(null);
        }}
        problem={problemOfField('email')}
      />
      <Field
        label="Password"
        type="password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        isRequired
        value={password}
        onInput={setPassword}
        hint={isNew ? newPasswordHint : undefined}
        problem={problemOfField('password')}
      />
      {factors.length > 0 && <CodeField value={totp} onInput={setTotp} hasApp={factors.includes('app')} />}
      <button type="submit" class="primary wide" disabled={isBusy}>
        {isBusy ? 'Please wait…' : erasedAt === null ? verb : 'Cancel deletion and sign in'}
      </button>
    </form>
  );
}

function DeletedNotice({ erasedAt }: { readonly erasedAt: string }) {
  return (
    <div class="notice" role="alert">
      <Icon name="warning" />
      <div>
        <p>
          This account is deleted. On {longDay(erasedAt.slice(0, 10))} everything in it is permanently erased. Until
          then you can cancel the deletion and get all your data back.
        </p>
      </div>
    </div>
  );
}

import { useState } from 'preact/hooks';
import { useDraft } from '../../api/draft.ts';
import { type Problem, problemOf } from '../../api/problem.ts';
import { longDay } from '../../format/dates.ts';
import { Field } from '../field.tsx';
import { Icon } from '../icon.tsx';
import { ProblemNotice } from '../problem-notice.tsx';

interface SignInFormProps {
  readonly verb: string;
  readonly isNew: boolean;
  readonly onSubmit: (email: string, password: string, totp: string, restore: boolean) => Promise<void>;
}

/** E-mail and password, for signing in and for a new account. */
export function SignInForm({ verb, isNew, onSubmit }: SignInFormProps) {
  const [{ email }, setDraft, forget] = useDraft('sign-in', { email: '' });
  const [password, setPassword] = useState('');
  const [totp, setTotp] = useState('');
  /** What the account has beside the password; empty until it is asked for. */
  const [factors, setFactors] = useState<readonly unknown[]>([]);
  /** Of an account that is deleted: until then the next try takes that back. */
  const [erasedAt, setErasedAt] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const problemOfField = (name: string) => problem?.fields.find(({ pointer }) => pointer === `/${name}`)?.detail;
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await onSubmit(email, password, totp, erasedAt !== null);
      forget();
    } catch (error) {
      const found = problemOf(error);
      if (found.code === 'totp_required') setFactors([found.members.factors ?? []].flat());
      if (found.code === 'account_deleted') setErasedAt(String(found.members.erasedAt));
      else setProblem(found);
    }
    setBusy(false);
  }
  return (
    <form class="card narrow" onSubmit={submit}>
      {problem !== null && <ProblemNotice problem={problem} />}
      {erasedAt !== null && <DeletedNotice erasedAt={erasedAt} />}
      <Field
        label="E-mail"
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
        {isBusy ? 'One moment…' : erasedAt === null ? verb : 'Take the deletion back and sign in'}
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
          This account is deleted. On {longDay(erasedAt.slice(0, 10))} everything in it is erased for good. Until then
          you can take that back: all its books are there again.
        </p>
      </div>
    </div>
  );
}

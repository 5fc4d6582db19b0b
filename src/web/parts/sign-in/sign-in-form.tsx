import { useState } from 'preact/hooks';
import { toProblem } from '../../api/problem.ts';
import { longDay } from '../../format/dates.ts';
import { Form } from '../form.tsx';
import { Icon } from '../icon.tsx';
import { codeField } from './code-field.ts';

export const newPasswordHint =
  'Use at least 8 characters. Tip: a short sentence is easy to remember and hard to guess.';

interface SignInFormProps {
  readonly verb: string;
  readonly isNew: boolean;
  readonly onSubmit: (email: string, password: string, totp: string, restore: boolean) => Promise<void>;
}

/** Email and password, for signing in and for registering. */
export function SignInForm({ verb, isNew, onSubmit }: SignInFormProps) {
  /** The account's second factors. Empty until the server requires one. */
  const [factors, setFactors] = useState<readonly unknown[]>([]);
  /** A deleted account. The next attempt with its address cancels the deletion. */
  const [deleted, setDeleted] = useState<{ readonly email: string; readonly erasedAt: string } | null>(null);
  return (
    <Form
      class="card narrow"
      draft="sign-in"
      lead={deleted !== null && <DeletedNotice erasedAt={deleted.erasedAt} />}
      fields={{
        email: { label: 'Email', type: 'email', autoComplete: 'username', isRequired: true },
        password: {
          label: 'Password',
          type: 'password',
          autoComplete: isNew ? 'new-password' : 'current-password',
          isRequired: true,
          hint: isNew ? newPasswordHint : undefined,
        },
        totp: { ...codeField(factors.includes('app')), isHidden: factors.length === 0 },
      }}
      verb={deleted === null ? verb : 'Cancel deletion and sign in'}
      busy="Please wait…"
      look="primary wide"
      keep={['email', 'password', 'totp']}
      onChange={({ email }) => email !== deleted?.email && setDeleted(null)}
      onSubmit={async ({ email, password, totp }) => {
        try {
          await onSubmit(email, password, totp, deleted !== null);
        } catch (error) {
          const { code, members } = toProblem(error);
          if (code === 'totp_required') setFactors([members.factors ?? []].flat());
          if (code !== 'account_deleted') throw error;
          setDeleted({ email, erasedAt: String(members.erasedAt) });
        }
      }}
    />
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

import { useState } from 'preact/hooks';
import { signInByPasskey, takesPasskeys } from '../../api/passkeys.ts';
import { toProblem } from '../../api/problem.ts';
import { useServerConfig } from '../../api/status.ts';
import { browserTimeZone, longDay } from '../../format/dates.ts';
import { Button, Icon, useAction } from '../button.tsx';
import { Form } from '../form.tsx';
import { ProblemNotice } from '../page.tsx';

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

/** The declaration of the field for the second factor. */
export function codeField(hasApp: boolean) {
  return {
    label: 'Code',
    autoComplete: 'one-time-code',
    isRequired: true,
    hint: hasApp ? 'From your authenticator app, or a recovery code.' : 'A recovery code. Or use your passkey below.',
  } as const;
}

/** The session storage key of the page to return to after signing in with a provider. */
export const pageAskedFor = 'pageAskedFor';

export const providerNames = { google: 'Google', github: 'GitHub' } as const;
export type ProviderName = keyof typeof providerNames;

/** Sign-in through the providers set up on this server. Renders nothing if there are none. */
export function ProviderButtons() {
  const names = useServerConfig().data?.providers ?? [];
  if (names.length === 0) return null;
  return (
    <section class="card narrow" aria-label="Sign in without a password">
      <ProviderLinks names={names} />
      <p class="fine">The provider only shares your name and email address with us.</p>
    </section>
  );
}

export function ProviderLinks({ names }: { readonly names: readonly ProviderName[] }) {
  const zone = browserTimeZone();
  return names.map((name) => (
    // The link redirects to another site. The router ignores links with a target attribute, so the browser follows it.
    <a
      key={name}
      class="button wide"
      href={`/auth/${name}${zone === '' ? '' : `?timeZone=${encodeURIComponent(zone)}`}`}
      target="_top"
      onClick={rememberPage}
    >
      Continue with {providerNames[name]}
    </a>
  ));
}

function rememberPage(): void {
  const { pathname, search } = location;
  if (['/sign-in', '/register', '/auth/callback'].includes(pathname)) sessionStorage.removeItem(pageAskedFor);
  else sessionStorage.setItem(pageAskedFor, pathname + search);
}

/** Signs in without a password, if the browser supports it. */
export function PasskeyButton({ onDone }: { readonly onDone: () => void }) {
  const { act, problem, isBusy } = useAction();
  if (!takesPasskeys) return null;
  const signIn = async () => {
    if (await act(signInByPasskey)) onDone();
  };
  return (
    <section class="card narrow" aria-label="With a passkey">
      {problem !== null && <ProblemNotice problem={problem} />}
      <Button label="Sign in with a passkey" class="wide" aria-disabled={isBusy} onClick={() => void signIn()} />
    </section>
  );
}

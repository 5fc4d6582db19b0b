import { signInByPasskey, takesPasskeys } from '../../api/passkeys.ts';
import { ProblemNotice } from '../problem-notice.tsx';
import { useAction } from '../use-action.ts';

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
      <button type="button" class="wide" aria-disabled={isBusy} onClick={() => void signIn()}>
        Sign in with a passkey
      </button>
    </section>
  );
}

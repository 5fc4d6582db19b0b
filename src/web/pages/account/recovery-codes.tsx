import { useState } from 'preact/hooks';
import { api, unwrapResponse } from '../../api/api.ts';
import { booksChanged } from '../../api/changes.ts';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { useAction } from '../../parts/use-action.ts';

/** Codes for users who lose their authenticator app and passkeys. */
export function RecoveryCodesCard({ codesLeft }: { readonly codesLeft: number }) {
  const [codes, setCodes] = useState<readonly string[]>([]);
  const { act, problem, isBusy } = useAction();
  const renew = async () => {
    setCodes((await unwrapResponse(api.auth['recovery-codes'].post())).recoveryCodes);
    booksChanged();
  };
  return (
    <section class="card">
      <h2>Recovery codes</h2>
      <p>
        Each code signs you in once, after your password, without the app or a passkey. {codesLeft}{' '}
        {codesLeft === 1 ? 'is' : 'are'} left.
      </p>
      {problem !== null && <ProblemNotice problem={problem} />}
      <RecoveryCodes codes={codes} />
      <p class="actions">
        <button type="button" aria-disabled={isBusy} onClick={() => void act(renew)}>
          Generate new codes
        </button>
        <span class="fine">Your old codes stop working.</span>
      </p>
    </section>
  );
}

/** Shows new recovery codes, once. Renders nothing if there are no codes. */
export function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  if (codes.length === 0) return null;
  return (
    <div class="notice" role="status">
      <div>
        <p>
          Write these recovery codes down. Each signs you in once without the second factor. They won't be shown again.
        </p>
        <ul>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

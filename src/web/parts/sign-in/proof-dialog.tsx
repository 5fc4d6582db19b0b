import { useState } from 'preact/hooks';
import { api, got } from '../../api/api.ts';
import { proveByPasskey, takesPasskeys } from '../../api/passkeys.ts';
import { sendProof, settleProof, waitingActs } from '../../api/proof-request.ts';
import { useResource } from '../../api/resource.ts';
import { Dialog } from '../dialog.tsx';
import { Field } from '../field.tsx';
import { ProblemNotice } from '../problem-notice.tsx';
import { ResourceView } from '../resource-view.tsx';
import { useAct } from '../use-act.ts';
import { ProviderLinks } from './provider-buttons.tsx';

/** Stands while something waits until its user has proved once more who they are. */
export function ProofDialog() {
  if (waitingActs.value.length === 0) return null;
  return (
    <Dialog title="Is it you?" onClose={() => settleProof(false)}>
      <p>
        You signed in more than 15 minutes ago. This needs a fresh proof, so that a session left open is not enough.
      </p>
      <ProofMethods />
    </Dialog>
  );
}

type Methods = Awaited<ReturnType<typeof readMethods>>;

function readMethods() {
  return got(api.auth.methods.get());
}

function ProofMethods() {
  const reading = useResource('sign-in methods', readMethods);
  return <ResourceView reading={reading}>{(methods) => <Proofs methods={methods} />}</ResourceView>;
}

function Proofs({ methods }: { readonly methods: Methods }) {
  const [kind, setKind] = useState<'password' | 'totp'>(methods.password ? 'password' : 'totp');
  const hasBoth = methods.password && methods.totp;
  const hasNeither = !methods.password && !methods.totp;
  const hasPasskey = methods.passkeys > 0 && takesPasskeys;
  if (hasNeither && !hasPasskey) return <ProofElsewhere providers={methods.providers} />;
  return (
    <>
      {hasPasskey && <ProofByPasskey isAlone={hasNeither} />}
      {!hasNeither && <ProofForm key={kind} kind={kind} />}
      {hasBoth && (
        <p>
          <button type="button" class="plain" onClick={() => setKind(kind === 'password' ? 'totp' : 'password')}>
            {kind === 'password' ? 'Use a code of the app' : 'Use the password'}
          </button>
        </p>
      )}
    </>
  );
}

function ProofByPasskey({ isAlone }: { readonly isAlone: boolean }) {
  const { act, problem, isBusy } = useAct();
  const prove = async () => {
    await proveByPasskey();
    settleProof(true);
  };
  return (
    <>
      {problem !== null && <ProblemNotice problem={problem} />}
      <p class="actions">
        <button type="button" class={isAlone ? 'primary' : ''} disabled={isBusy} onClick={() => void act(prove)}>
          Use a passkey
        </button>
        {isAlone && (
          <button type="button" onClick={() => settleProof(false)}>
            Not now
          </button>
        )}
      </p>
    </>
  );
}

function ProofForm({ kind }: { readonly kind: 'password' | 'totp' }) {
  const [text, setText] = useState('');
  const { act, problem, isBusy } = useAct();
  const send = async () => {
    await sendProof(() => got(api.auth.reauthenticate.post(kind === 'password' ? { password: text } : { totp: text })));
    settleProof(true);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void act(send);
      }}
    >
      {problem !== null && <ProblemNotice problem={problem} />}
      {kind === 'password' ? (
        <Field
          label="Your password"
          type="password"
          autoComplete="current-password"
          isRequired
          value={text}
          onInput={setText}
        />
      ) : (
        <Field
          label="Code"
          autoComplete="one-time-code"
          isRequired
          value={text}
          onInput={setText}
          hint="Of your authenticator app, or one of your recovery codes."
        />
      )}
      <p class="actions">
        <button type="submit" class="primary" disabled={isBusy || text === ''}>
          Go on
        </button>
        <button type="button" onClick={() => settleProof(false)}>
          Not now
        </button>
      </p>
    </form>
  );
}

/** Who has neither signs in there once more, and comes back to this page. */
function ProofElsewhere({ providers }: Pick<Methods, 'providers'>) {
  return (
    <>
      <p>You come back to this page. What you were about to do is not done yet; do it again then.</p>
      <ProviderLinks names={providers} />
      <p class="actions">
        <button type="button" onClick={() => settleProof(false)}>
          Not now
        </button>
      </p>
    </>
  );
}

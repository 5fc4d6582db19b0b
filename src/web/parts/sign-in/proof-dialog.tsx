import { useState } from 'preact/hooks';
import { api, type DataOf, unwrapResponse, useApi } from '../../api/api.ts';
import { proveByPasskey, takesPasskeys } from '../../api/passkeys.ts';
import { sendProof, settleProof } from '../../api/proof-request.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { Form } from '../form.tsx';
import { ResourceView } from '../page.tsx';
import { codeField, ProviderLinks } from './sign-in-form.tsx';

/** Shown while an action waits for the user to confirm their identity. */
export default function ProofDialog() {
  return (
    <Dialog title="Confirm it's you" onClose={() => settleProof(false)}>
      <p>For your security, confirm your identity to continue.</p>
      <ProofMethods />
    </Dialog>
  );
}

type Methods = DataOf<typeof api.auth.methods.get>;

function ProofMethods() {
  const reading = useApi('sign-in methods', () => api.auth.methods.get());
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
          <Button
            label={kind === 'password' ? 'Use an app code' : 'Use your password'}
            class="plain"
            onClick={() => setKind(kind === 'password' ? 'totp' : 'password')}
          />
        </p>
      )}
    </>
  );
}

function ProofByPasskey({ isAlone }: { readonly isAlone: boolean }) {
  return (
    <Form
      fields={{}}
      verb="Use a passkey"
      busy="Use a passkey"
      look={isAlone ? 'primary' : ''}
      onSubmit={async () => {
        await proveByPasskey();
        settleProof(true);
      }}
      {...(isAlone ? { onClose: () => settleProof(false) } : {})}
    />
  );
}

function ProofForm({ kind }: { readonly kind: 'password' | 'totp' }) {
  return (
    <Form
      fields={{
        password: {
          label: 'Your password',
          type: 'password',
          autoComplete: 'current-password',
          isRequired: true,
          isHidden: kind === 'totp',
        },
        totp: { ...codeField(true), isHidden: kind === 'password' },
      }}
      verb="Continue"
      busy="Please wait…"
      isReady={(values) => values[kind] !== ''}
      onSubmit={async ({ [kind]: text }) => {
        await sendProof(() =>
          unwrapResponse(api.auth.reauthenticate.post(kind === 'password' ? { password: text } : { totp: text })),
        );
        settleProof(true);
      }}
      onClose={() => settleProof(false)}
    />
  );
}

/** Without a password or app, the user signs in through the provider again and returns to this page. */
function ProofElsewhere({ providers }: Pick<Methods, 'providers'>) {
  return (
    <>
      <p>You'll return to this page. Your last action was not completed, so repeat it then.</p>
      <ProviderLinks names={providers} />
      <p class="actions">
        <Button label="Cancel" onClick={() => settleProof(false)} />
      </p>
    </>
  );
}

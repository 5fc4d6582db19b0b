import { useState } from 'preact/hooks';
import { encode } from 'uqr';
import { api, unwrapResponse } from '../../api/api.ts';
import { booksChanged, write } from '../../api/changes.ts';
import { useResource } from '../../api/resource.ts';
import { Form } from '../../parts/form.tsx';
import { say } from '../../parts/toasts.tsx';
import { RecoveryCodes, RecoveryCodesCard } from './recovery-codes.tsx';

interface AppKey {
  readonly secret: string;
  readonly uri: string;
}

/** Sets up codes from an authenticator app, which sign-in requires after the password. */
export function TwoStep() {
  const state = useResource('auth totp', () => unwrapResponse(api.auth.totp.get())).data;
  const [key, setKey] = useState<AppKey | null>(null);
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>([]);
  if (state === undefined) return null;
  return (
    <>
      <section class="card">
        <h2>Authenticator app</h2>
        <RecoveryCodes codes={recoveryCodes} />
        {state.enabled ? (
          <RemoveFactor />
        ) : key === null ? (
          <OfferFactor onOffer={setKey} />
        ) : (
          <ConfirmFactor
            offered={key}
            onConfirm={(codes) => {
              setRecoveryCodes(codes);
              setKey(null);
              booksChanged();
            }}
          />
        )}
      </section>
      {(state.enabled || state.recoveryCodesLeft > 0) && <RecoveryCodesCard codesLeft={state.recoveryCodesLeft} />}
    </>
  );
}

function OfferFactor({ onOffer }: { readonly onOffer: (key: AppKey) => void }) {
  return (
    <Form
      lead={<p>Each sign-in asks for a code from the app after your password. A stolen password alone can't get in.</p>}
      fields={{}}
      verb="Set up an app"
      busy="Please wait…"
      look=""
      onSubmit={async () => onOffer(await unwrapResponse(api.auth.totp.post({})))}
    />
  );
}

function ConfirmFactor(props: { readonly offered: AppKey; readonly onConfirm: (codes: readonly string[]) => void }) {
  const { offered, onConfirm } = props;
  return (
    <Form
      lead={
        <>
          <p>Scan this with the app, or type in the key. Then enter the first code it shows.</p>
          <QrCode text={offered.uri} />
          <p class="fine">
            Key: <code>{offered.secret.match(/.{1,4}/g)?.join(' ')}</code>
          </p>
        </>
      }
      fields={{
        totp: { label: 'Code from the app', inputMode: 'numeric', autoComplete: 'one-time-code', isRequired: true },
      }}
      verb="Confirm code"
      busy="Checking…"
      look=""
      onSubmit={async (code) => onConfirm((await unwrapResponse(api.auth.totp.confirm.post(code))).recoveryCodes)}
    />
  );
}

function RemoveFactor() {
  return (
    <Form
      lead={<p>Each sign-in with your password asks for a code from your app.</p>}
      fields={{ totp: { label: 'Code', autoComplete: 'one-time-code', isRequired: true } }}
      verb="Remove app"
      busy="Removing…"
      look=""
      onSubmit={async (code) => {
        await write(api.auth.totp.delete(code));
        say('Authenticator app removed.');
      }}
    />
  );
}

/** Dark on light in both themes because cameras cannot read anything else. */
function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg width="200" height="200" viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code of the key">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

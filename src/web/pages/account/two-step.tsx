import { useState } from 'preact/hooks';
import { encode } from 'uqr';
import { deviceName } from '../../../base/device-name.ts';
import { api, booksChanged, type ItemOf, unwrapResponse, useApi, write } from '../../api/api.ts';
import { addPasskey, takesPasskeys } from '../../api/passkeys.ts';
import { say } from '../../api/toasts.ts';
import { ActionButton, Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { Card, ResourceView } from '../../parts/page.tsx';
import { Table } from '../../parts/tables/table.tsx';

interface AppKey {
  readonly secret: string;
  readonly uri: string;
}

/** Sets up codes from an authenticator app, which sign-in requires after the password. */
export function TwoStep() {
  const state = useApi('auth totp', () => api.auth.totp.get()).data;
  const [key, setKey] = useState<AppKey | null>(null);
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>([]);
  if (state === undefined) return null;
  return (
    <>
      <Card title="Authenticator app">
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
      </Card>
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

type PasskeyItem = ItemOf<typeof api.auth.passkeys.get>;

/** Passkeys, which are stored on a phone, a computer or a security key. Any of them can sign in without a password. */
export function Passkeys() {
  const reading = useApi('passkeys', () => api.auth.passkeys.get());
  return (
    <Card title="Passkeys">
      <p>
        Sign in with your fingerprint, face or device PIN. Passkeys can't be phished. Once you have one, your password
        alone no longer signs you in.
      </p>
      <ResourceView reading={reading}>{({ data }) => <PasskeyTable passkeys={data} />}</ResourceView>
      {takesPasskeys ? <AddPasskey /> : <p class="fine">This browser doesn't support passkeys for this address.</p>}
    </Card>
  );
}

function PasskeyTable({ passkeys }: { readonly passkeys: readonly PasskeyItem[] }) {
  const [renamed, setRenamed] = useState<PasskeyItem | null>(null);
  return (
    <>
      <Table
        label="Passkeys"
        rows={passkeys}
        empty=""
        columns={[
          {
            head: 'Passkey',
            cell: ({ name }) => name,
            note: ({ synced }) => synced && 'On more than one device',
          },
          { head: 'Since', kind: 'minute', cell: ({ createdAt }) => createdAt },
          { head: 'Last used', kind: 'minute', cell: ({ lastUsedAt }) => lastUsedAt ?? <>never</> },
          {
            head: 'Change it',
            kind: 'buttons',
            cell: (passkey) => (
              <span class="actions">
                <Button label="Rename" aria-label={`Rename ${passkey.name}`} onClick={() => setRenamed(passkey)} />
                <ActionButton
                  label="Remove"
                  aria-label={`Remove ${passkey.name}`}
                  act={() => write(api.auth.passkeys({ id: passkey.id }).delete())}
                  said={`Passkey “${passkey.name}” removed.`}
                />
              </span>
            ),
          },
        ]}
      />
      {renamed !== null && <RenameDialog passkey={renamed} onClose={() => setRenamed(null)} />}
    </>
  );
}

function RenameDialog({ passkey, onClose }: { readonly passkey: PasskeyItem; readonly onClose: () => void }) {
  const rename = async (change: { readonly name: string }) => {
    await write(api.auth.passkeys({ id: passkey.id }).patch(change));
  };
  return (
    <Dialog title="Rename passkey" onClose={onClose}>
      <Form
        fields={{ name: { label: 'Name', value: passkey.name, isRequired: true } }}
        verb="Save"
        onSubmit={async (change) => {
          await rename(change);
          onClose();
          say('Passkey renamed.', () => rename({ name: passkey.name }));
        }}
        onClose={onClose}
      />
    </Dialog>
  );
}

function AddPasskey() {
  const [codes, setCodes] = useState<readonly string[]>([]);
  return (
    <Form
      lead={<RecoveryCodes codes={codes} />}
      fields={{
        name: {
          label: 'Passkey name',
          value: deviceName(navigator.userAgent),
          isRequired: true,
          hint: 'Helps you recognize it later.',
        },
      }}
      verb="Add a passkey"
      busy="Waiting for your device…"
      look=""
      onSubmit={async ({ name }) => {
        setCodes((await addPasskey(name)).recoveryCodes);
        booksChanged();
        say('Passkey added. You can sign in with it now.');
      }}
    />
  );
}

/** Codes for users who lose their authenticator app and passkeys. */
function RecoveryCodesCard({ codesLeft }: { readonly codesLeft: number }) {
  const [codes, setCodes] = useState<readonly string[]>([]);
  return (
    <Card title="Recovery codes">
      <p>
        Each code signs you in once, after your password, without the app or a passkey. {codesLeft}{' '}
        {codesLeft === 1 ? 'is' : 'are'} left.
      </p>
      <Form
        lead={<RecoveryCodes codes={codes} />}
        fields={{}}
        verb="Generate new codes"
        busy="Please wait…"
        look=""
        onSubmit={async () => setCodes((await write(api.auth['recovery-codes'].post())).recoveryCodes)}
        actions={<span class="fine">Your old codes stop working.</span>}
      />
    </Card>
  );
}

/** Shows new recovery codes, once. Renders nothing if there are no codes. */
function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
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

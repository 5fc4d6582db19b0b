import { useState } from 'preact/hooks';
import { deviceName } from '../../../base/device-name.ts';
import { api, unwrapResponse } from '../../api/api.ts';
import { booksChanged, write } from '../../api/changes.ts';
import { addPasskey, takesPasskeys } from '../../api/passkeys.ts';
import { useResource } from '../../api/resource.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { Table } from '../../parts/tables/table.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

type PasskeyItem = Awaited<ReturnType<typeof readPasskeys>>['data'][number];

function readPasskeys() {
  return unwrapResponse(api.auth.passkeys.get());
}

/** Passkeys, which are stored on a phone, a computer or a security key. Any of them can sign in without a password. */
export function Passkeys() {
  const reading = useResource('passkeys', readPasskeys);
  return (
    <section class="card">
      <h2>Passkeys</h2>
      <p>
        Sign in with your fingerprint, face or device PIN. Passkeys can't be phished. Once you have one, your password
        alone no longer signs you in.
      </p>
      <ResourceView reading={reading}>{({ data }) => <PasskeyTable passkeys={data} />}</ResourceView>
      {takesPasskeys ? <AddPasskey /> : <p class="fine">This browser doesn't support passkeys for this address.</p>}
    </section>
  );
}

function PasskeyTable({ passkeys }: { readonly passkeys: readonly PasskeyItem[] }) {
  const [renamed, setRenamed] = useState<PasskeyItem | null>(null);
  const remove = async ({ id, name }: PasskeyItem) => {
    await write(api.auth.passkeys({ id }).delete());
    say(`Passkey “${name}” removed.`);
  };
  return (
    <>
      <Table
        label="Passkeys"
        rows={passkeys}
        keyOf={({ id }) => id}
        empty=""
        columns={[
          {
            head: 'Passkey',
            cell: ({ name, synced }) => (
              <>
                {name}
                {synced && <p class="fine">On more than one device</p>}
              </>
            ),
          },
          { head: 'Since', kind: 'minute', cell: ({ createdAt }) => createdAt },
          { head: 'Last used', kind: 'minute', cell: ({ lastUsedAt }) => lastUsedAt ?? <>never</> },
          {
            head: 'Change it',
            kind: 'buttons',
            cell: (passkey) => (
              <span class="actions">
                <button type="button" aria-label={`Rename ${passkey.name}`} onClick={() => setRenamed(passkey)}>
                  Rename
                </button>
                <button
                  type="button"
                  aria-label={`Remove ${passkey.name}`}
                  onClick={() => remove(passkey).catch(sayProblem)}
                >
                  Remove
                </button>
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

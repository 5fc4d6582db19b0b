import { useState } from 'preact/hooks';
import { deviceName } from '../../../base/device-name.ts';
import { api, unwrapResponse } from '../../api/api.ts';
import { booksChanged } from '../../api/changes.ts';
import { addPasskey, takesPasskeys } from '../../api/passkeys.ts';
import { useResource } from '../../api/resource.ts';
import { moment } from '../../format/dates.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { StackedTable } from '../../parts/tables/stacked-table.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';
import { useAction } from '../../parts/use-action.ts';
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
      <ResourceView reading={reading}>{({ data }) => data.length > 0 && <PasskeyTable passkeys={data} />}</ResourceView>
      {takesPasskeys ? <AddPasskey /> : <p class="fine">This browser doesn't support passkeys for this address.</p>}
    </section>
  );
}

function PasskeyTable({ passkeys }: { readonly passkeys: readonly PasskeyItem[] }) {
  const [renamed, setRenamed] = useState<PasskeyItem | null>(null);
  const remove = async ({ id, name }: PasskeyItem) => {
    await unwrapResponse(api.auth.passkeys({ id }).delete());
    booksChanged();
    say(`Passkey “${name}” removed.`);
  };
  return (
    <>
      <StackedTable
        label="Passkeys"
        columns={['Passkey', 'Since', 'Last used', { unseen: 'Change it' }]}
        rows={passkeys.map((passkey) => ({
          key: passkey.id,
          name: (
            <>
              {passkey.name}
              {passkey.synced && <p class="fine">On more than one device</p>}
            </>
          ),
          cells: [
            <span class="whole">{moment(passkey.createdAt)}</span>,
            <span class="whole">{passkey.lastUsedAt === null ? 'never' : moment(passkey.lastUsedAt)}</span>,
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
            </span>,
          ],
        }))}
      />
      {renamed !== null && <RenameDialog passkey={renamed} onClose={() => setRenamed(null)} />}
    </>
  );
}

function RenameDialog({ passkey, onClose }: { readonly passkey: PasskeyItem; readonly onClose: () => void }) {
  const [name, setName] = useState(passkey.name);
  const { act, problem, isBusy } = useAction();
  const call = async (newName: string) => {
    await unwrapResponse(api.auth.passkeys({ id: passkey.id }).patch({ name: newName }));
    booksChanged();
  };
  const save = async () => {
    await call(name);
    onClose();
    say('Passkey renamed.', () => call(passkey.name));
  };
  return (
    <Dialog title="Rename passkey" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void act(save);
        }}
      >
        {problem !== null && <ProblemNotice problem={problem} />}
        <Field label="Name" isRequired value={name} onInput={setName} />
        <p class="actions">
          <button type="submit" class="primary" disabled={isBusy || name.trim() === ''}>
            Save
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
}

function AddPasskey() {
  const [name, setName] = useState(() => deviceName(navigator.userAgent));
  const [codes, setCodes] = useState<readonly string[]>([]);
  const { act, problem, isBusy } = useAction();
  const add = async () => {
    const { recoveryCodes } = await addPasskey(name);
    setCodes(recoveryCodes);
    booksChanged();
    say('Passkey added. You can sign in with it now.');
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void act(add);
      }}
    >
      <RecoveryCodes codes={codes} />
      {problem !== null && <ProblemNotice problem={problem} />}
      <div class="fields">
        <Field label="Passkey name" isRequired value={name} onInput={setName} hint="Helps you recognize it later." />
      </div>
      <button type="submit" disabled={isBusy || name.trim() === ''}>
        Add a passkey
      </button>
    </form>
  );
}

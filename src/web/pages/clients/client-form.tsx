import { api, booksChanged, type DataOf, type ItemOf, unwrapResponse, useApi, write } from '../../api/api.ts';
import { loadAccount } from '../../api/session.ts';
import { say } from '../../api/toasts.ts';
import { browserTimeZone } from '../../format/dates.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, filled } from '../../parts/form.tsx';
import { ResourceView } from '../../parts/page.tsx';
import { TimeZoneField } from '../../parts/time-zone-field.tsx';

interface ClientFormProps {
  /** Null for a new client. */
  readonly client: ClientStatusRow | null;
  readonly onClose: () => void;
}

export function ClientForm({ client, onClose }: ClientFormProps) {
  const reading = useApi(client === null ? null : `client details ${client.id}`, () =>
    api.clients({ id: client?.id ?? '' }).get(),
  );
  return (
    <Dialog title={client === null ? 'New client' : `Change ${client.name}`} onClose={onClose}>
      {client === null ? (
        <ClientFieldset before={null} onClose={onClose} />
      ) : (
        <ResourceView reading={reading}>
          {(before) => <ClientFieldset before={before} onClose={onClose} />}
        </ResourceView>
      )}
    </Dialog>
  );
}

function ClientFieldset({ before, onClose }: { readonly before: ClientDetails | null; readonly onClose: () => void }) {
  const zoneBefore = before === null ? null : before.timeZoneStated ? before.timeZone : '';
  return (
    <Form
      fields={{
        name: { label: 'Name', isRequired: true, value: before?.name ?? '' },
        email: { label: 'Email (optional)', type: 'email', value: before?.email ?? '' },
        taxpayerName: {
          label: 'Name on tax return',
          value: before?.taxpayerName ?? '',
          hint: 'Leave blank to use the name above.',
        },
        tin: {
          label: 'Taxpayer identification number',
          autoComplete: 'off',
          hint:
            before?.tin === undefined
              ? 'Printed on the forms, like 123-45-6789.'
              : `The number on file ends in ${before.tin.slice(-4)}.`,
        },
        timeZone: { label: 'Time zone', view: TimeZoneField, value: zoneBefore ?? browserTimeZone() },
      }}
      verb={before === null ? 'Create client' : 'Save'}
      onClose={onClose}
      draft={`client ${before?.id ?? 'new'}`}
      onSubmit={async ({ name, email, taxpayerName, tin, timeZone }) => {
        const changedZone = timeZone === zoneBefore ? '' : timeZone;
        const request = { name, email: email || null, ...filled({ taxpayerName, tin, timeZone: changedZone }) };
        if (before === null) {
          await unwrapResponse(api.clients.post(request));
          await reloadAll();
          say(`${name} added.`);
        } else say('Saved.', await changeClient(before, request));
        onClose();
      }}
    />
  );
}

export type ClientStatusRow = ItemOf<typeof api.status.clients.get>;
type ClientDetails = DataOf<ReturnType<typeof api.clients>['get']>;

/** The client form's request. */
interface ClientFields {
  readonly name: string;
  readonly email: string | null;
  readonly taxpayerName?: string;
  readonly tin?: string;
  readonly timeZone?: string;
}

/** Changes a client. Returns a function that restores the previous details. */
async function changeClient(before: ClientDetails, fields: ClientFields): Promise<() => Promise<void>> {
  const { id, name, taxpayerName } = before;
  const timeZone = before.timeZoneStated ? before.timeZone : null;
  await write(api.clients({ id }).patch(fields));
  return async () => {
    const former = { name, email: before.email ?? null, taxpayerName, timeZone, tin: before.tin ?? null };
    await write(api.clients({ id }).patch(former));
  };
}

export async function deleteClient(id: string): Promise<void> {
  await unwrapResponse(api.clients({ id }).delete());
  await reloadAll();
}

/** Reloads the account, which contains the number of clients, and the books. */
async function reloadAll(): Promise<void> {
  await loadAccount();
  booksChanged();
}

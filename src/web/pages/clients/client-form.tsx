import { useDraft } from '../../api/draft.ts';
import { useResource } from '../../api/resource.ts';
import { browserTimeZone } from '../../format/dates.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { TimeZoneField } from '../../parts/time-zone-field.tsx';
import { say } from '../../parts/toasts.tsx';
import { useAction } from '../../parts/use-action.ts';
import {
  type ClientDetails,
  type ClientFields,
  type ClientStatusRow,
  changeClient,
  createClient,
  readClient,
} from './client-rows.ts';

interface ClientFormProps {
  /** Null for a new client. */
  readonly client: ClientStatusRow | null;
  readonly onClose: () => void;
}

export function ClientForm({ client, onClose }: ClientFormProps) {
  const reading = useResource(client === null ? null : `client details ${client.id}`, () =>
    readClient(client?.id ?? ''),
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

interface ClientFieldsetProps {
  readonly before: ClientDetails | null;
  readonly onClose: () => void;
}

function ClientFieldset({ before, onClose }: ClientFieldsetProps) {
  const zoneBefore = before === null ? null : before.timeZoneStated ? before.timeZone : '';
  const initial = {
    name: before?.name ?? '',
    email: before?.email ?? '',
    taxpayerName: before?.taxpayerName ?? '',
    tin: '',
    timeZone: zoneBefore ?? browserTimeZone(),
  };
  const kept = Object.keys(initial).filter((name) => name !== 'tin');
  const [fields, setFields, forget] = useDraft(`client ${before?.id ?? 'new'}`, initial, kept);
  const { act, problem, isBusy, problemOfField } = useAction();
  const put = (name: keyof typeof fields) => (text: string) => setFields({ [name]: text });
  const save = async () => {
    const clientFields: ClientFields = {
      name: fields.name,
      email: fields.email === '' ? null : fields.email,
      ...(fields.timeZone === zoneBefore || fields.timeZone === '' ? {} : { timeZone: fields.timeZone }),
      ...(fields.taxpayerName === '' ? {} : { taxpayerName: fields.taxpayerName }),
      ...(fields.tin === '' ? {} : { tin: fields.tin }),
    };
    if (before === null) {
      await createClient(clientFields);
      say(`${clientFields.name} added.`);
    } else say('Saved.', await changeClient(before, clientFields));
    close();
  };
  const close = () => {
    forget();
    onClose();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void act(save);
      }}
    >
      {problem !== null && <ProblemNotice problem={problem} />}
      <div class="fields">
        <Field label="Name" isRequired value={fields.name} onInput={put('name')} problem={problemOfField('name')} />
        <Field
          label="Email (optional)"
          type="email"
          value={fields.email}
          onInput={put('email')}
          problem={problemOfField('email')}
        />
        <Field
          label="Name on tax return"
          value={fields.taxpayerName}
          onInput={put('taxpayerName')}
          hint="Leave blank to use the name above."
        />
        <Field
          label="Taxpayer identification number"
          value={fields.tin}
          onInput={put('tin')}
          autoComplete="off"
          problem={problemOfField('tin')}
          hint={
            before?.tin === undefined
              ? 'Printed on the forms, like 123-45-6789.'
              : `The number on file ends in ${before.tin.slice(-4)}.`
          }
        />
        <TimeZoneField value={fields.timeZone} onInput={put('timeZone')} problem={problemOfField('timeZone')} />
      </div>
      <p class="actions">
        <button type="submit" class="primary" aria-disabled={isBusy}>
          {before === null ? 'Create client' : 'Save'}
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </p>
    </form>
  );
}

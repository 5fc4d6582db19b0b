import { api, unwrapResponse } from '../../api/api.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { Form } from '../../parts/form.tsx';

const scopes = [
  {
    value: 'read',
    label: 'Read',
    means: 'Years, Form 8949 entries, holdings, transactions, items to review and notifications.',
  },
  { value: 'import', label: 'Import', means: 'Import files, prices and balances, and check the results.' },
  { value: 'write', label: 'Write', means: 'Change transactions, settings and locks, and resolve items.' },
  { value: 'reports', label: 'Reports', means: 'Generate reports and download them.' },
] as const;

const terms = [
  { value: '90', label: '90 days' },
  { value: '30', label: '30 days' },
  { value: '366', label: 'One year' },
] as const;

interface TokenFormProps {
  readonly clients: readonly { readonly id: string; readonly name: string }[];
  readonly onMade: (made: { readonly name: string; readonly token: string; readonly client: string | null }) => void;
}

/** The form for a new token: its purpose, permissions and lifetime. */
export function TokenForm({ clients, onMade }: TokenFormProps) {
  return (
    <Form
      class="card"
      title="New token"
      fields={{
        name: { label: 'What is it for?', isRequired: true, placeholder: 'Nightly import' },
        days: { label: 'Expires in', options: terms },
        client: {
          label: 'Books',
          isHidden: clients.length === 0,
          options: [{ value: '', label: 'All' }, ...clients.map(({ id, name }) => ({ value: id, label: name }))],
        },
        scopes: { label: 'Permissions', type: 'checks', options: scopes, value: ['read'] },
      }}
      verb="Create token"
      busy="Creating…"
      isReady={(values) => values.scopes.length > 0}
      onSubmit={async ({ name, days, client, scopes: chosen }) => {
        const newToken = { name, scopes: [...chosen], days: Number(days), client: client || null };
        onMade(await unwrapResponse(api.auth.tokens.post(newToken)));
      }}
    />
  );
}

interface ShownTokenProps {
  readonly name: string;
  readonly token: string;
  readonly onDone: () => void;
}

/** The secret of a new token, which is shown only once. */
export function ShownToken({ name, token, onDone }: ShownTokenProps) {
  return (
    <section class="notice" role="status" aria-label="The new token">
      <div>
        <p>
          This is your token “{name}”. Copy it now: it won't be shown again. Anyone who has it can use its permissions.
        </p>
        <CopyText text={token} what="Token" />
      </div>
      <p class="actions">
        <button type="button" onClick={onDone}>
          Done
        </button>
      </p>
    </section>
  );
}

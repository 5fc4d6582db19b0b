import { useState } from 'preact/hooks';
import { api, unwrapResponse } from '../../api/api.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';

import { useAction } from '../../parts/use-action.ts';

const scopeWords = {
  read: {
    label: 'Read',
    means: 'Years, Form 8949 entries, holdings, transactions, items to review and notifications.',
  },
  import: { label: 'Import', means: 'Import files, prices and balances, and check the results.' },
  write: { label: 'Write', means: 'Change transactions, settings and locks, and resolve items.' },
  reports: { label: 'Reports', means: 'Generate reports and download them.' },
} as const;
type SelectableScope = keyof typeof scopeWords;
const allScopes = Object.keys(scopeWords) as SelectableScope[];

const terms = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '366', label: 'One year' },
] as const;

interface TokenFormProps {
  readonly clients: readonly { readonly id: string; readonly name: string }[];
  readonly onMade: (made: { readonly name: string; readonly token: string; readonly client: string | null }) => void;
}

/** The form for a new token: its purpose, permissions and lifetime. */
export function TokenForm({ clients, onMade }: TokenFormProps) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly SelectableScope[]>(['read']);
  const [days, setDays] = useState<(typeof terms)[number]['value']>('90');
  const [client, setClient] = useState('');
  const { act, problem, isBusy, problemOfField } = useAction();
  const make = async () => {
    const newToken = { name, scopes: [...scopes], days: Number(days), client: client === '' ? null : client };
    onMade(await unwrapResponse(api.auth.tokens.post(newToken)));
    setName('');
  };
  const toggle = (scope: SelectableScope) =>
    setScopes(allScopes.filter((each) => (each === scope) !== scopes.includes(each)));
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        void act(make);
      }}
    >
      <h2>New token</h2>
      {problem !== null && problemOfField('name') === undefined && <ProblemNotice problem={problem} />}
      <div class="fields">
        <Field
          label="What is it for?"
          isRequired
          value={name}
          onInput={setName}
          placeholder="Nightly import"
          problem={problemOfField('name')}
        />
        <Choice label="Expires in" value={days} options={terms} onChange={setDays} />
        {clients.length > 0 && (
          <Choice
            label="Books"
            value={client}
            options={[{ value: '', label: 'All' }, ...clients.map(({ id, name }) => ({ value: id, label: name }))]}
            onChange={setClient}
          />
        )}
      </div>
      <fieldset class="choices">
        <legend>Permissions</legend>
        {allScopes.map((scope) => (
          <label key={scope} class="check">
            <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} />
            <span>
              {scopeWords[scope].label}
              <span class="fine">{scopeWords[scope].means}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <p class="actions">
        <button type="submit" class="primary" disabled={isBusy || scopes.length === 0}>
          Create token
        </button>
      </p>
    </form>
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

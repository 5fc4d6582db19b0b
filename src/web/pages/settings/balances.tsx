import { useState } from 'preact/hooks';
import { api, unwrapResponse } from '../../api/api.ts';
import { booksChanged } from '../../api/changes.ts';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { isZero } from '../../format/amounts.ts';
import { day } from '../../format/dates.ts';
import { AccountField } from '../../parts/account-field.tsx';
import { Quantity } from '../../parts/amount.tsx';
import { Form } from '../../parts/form.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { StackedTable } from '../../parts/tables/stacked-table.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';
import { CsvUpload } from './csv-upload.tsx';
import { RemoveButton } from './remove-button.tsx';

type BalanceItem = Awaited<ReturnType<typeof readBalances>>['data'][number];
type StatedBalanceFields = Pick<BalanceItem, 'account' | 'asset' | 'on' | 'quantity'>;

function readBalances(limit: number) {
  return unwrapResponse(api.balances.get({ query: { limit } }));
}

/** Balances from statements, compared with the transactions. */
export function Balances() {
  const [limit, setLimit] = useState(50);
  return (
    <>
      <section class="card">
        <h2>Add a balance</h2>
        <div class="cards">
          <BalanceForm />
          <div>
            <h3>Upload a statement</h3>
            <p>A file of positions adds many at once. If your transactions don't match, we'll ask under Review.</p>
            <CsvUpload
              label="Upload positions"
              hint="A CSV with the columns account, asset (or symbol), on (or date) and quantity (or shares)."
              path="/v1/balances/import"
            />
          </div>
        </div>
      </section>
      <section class="card">
        <h2>Statement balances</h2>
        <ResourceView reading={useResource(`balances ${limit}`, () => readBalances(limit))}>
          {({ data, hasMore }) => (
            <>
              {data.length === 0 ? (
                <p>None yet. Add the balance from a year-end statement to find out if a file is missing.</p>
              ) : (
                <BalanceTable balances={data} />
              )}
              {hasMore && (
                <button type="button" onClick={() => setLimit(Math.min(1000, limit + 100))}>
                  Show more
                </button>
              )}
            </>
          )}
        </ResourceView>
      </section>
    </>
  );
}

async function giveBalance(balance: StatedBalanceFields): Promise<void> {
  await unwrapResponse(api.balances.post(balance));
  booksChanged();
}

function BalanceForm() {
  return (
    <div>
      <h3>Enter one</h3>
      <Form
        fields={{
          account: { label: 'Account', view: AccountField },
          asset: { label: 'Asset', isRequired: true },
          on: { label: 'As of (end of day)', type: 'date', isRequired: true },
          quantity: { label: 'Quantity', type: 'quantity', isRequired: true },
        }}
        verb="Save"
        look=""
        keeps
        keep={['account', 'on']}
        onSubmit={async (balance) => {
          await giveBalance(balance);
          say(`Balance saved: ${balance.asset} in ${balance.account}.`);
        }}
      />
    </div>
  );
}

function BalanceTable({ balances }: { readonly balances: readonly BalanceItem[] }) {
  const remove = async ({ id, account, asset, on, quantity }: BalanceItem) => {
    await unwrapResponse(api.balances({ id }).delete());
    booksChanged();
    say(`Balance removed: ${asset} in ${account}.`, () => giveBalance({ account, asset, on, quantity }));
  };
  return (
    <StackedTable
      label="Statement balances"
      columns={[
        'Asset',
        'Account',
        'End of',
        { number: 'On the statement' },
        { number: 'From transactions' },
        { number: 'Difference' },
        { unseen: 'Remove' },
      ]}
      rows={balances.map((row) => ({
        key: row.id,
        name: <a href={to('/transactions', { years: 'all', asset: row.asset, account: row.account })}>{row.asset}</a>,
        cells: [
          row.account,
          <span class="whole">{day(row.on)}</span>,
          <Quantity amount={row.quantity} />,
          <Quantity amount={row.books} />,
          isZero(row.difference) ? (
            'matches'
          ) : (
            <strong class="loss">
              <Quantity amount={row.difference} />
            </strong>
          ),
          <OwnBooks>
            <RemoveButton
              of={`the balance of ${row.asset} in ${row.account} on ${day(row.on)}`}
              onRemove={() => remove(row).catch(sayProblem)}
            />
          </OwnBooks>,
        ],
      }))}
    />
  );
}

import { api, type ItemOf, useList, write } from '../../api/api.ts';
import { to } from '../../api/page-url.ts';
import { say } from '../../api/toasts.ts';
import { isZero } from '../../format/amounts.ts';
import { day } from '../../format/dates.ts';
import { AccountField } from '../../parts/account-field.tsx';
import { Quantity } from '../../parts/amount.tsx';
import { Form } from '../../parts/form.tsx';
import { Card, ListView } from '../../parts/page.tsx';
import { type ColumnSpec, Table } from '../../parts/tables/table.tsx';
import { CsvUpload, removeColumn } from './settings-form.tsx';

type BalanceItem = ItemOf<typeof api.balances.get>;

/** Balances from statements, compared with the transactions. */
export function Balances() {
  const list = useList('balances', (cursor) => api.balances.get({ query: { limit: 50, ...cursor } }));
  return (
    <>
      <Card title="Add a balance">
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
      </Card>
      <Card title="Statement balances">
        <ListView list={list}>
          {({ data }) => (
            <Table
              label="Statement balances"
              columns={columns}
              rows={data}
              empty={<p>None yet. Add the balance from a year-end statement to find out if a file is missing.</p>}
            />
          )}
        </ListView>
      </Card>
    </>
  );
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
          await write(api.balances.post(balance));
          say(`Balance saved: ${balance.asset} in ${balance.account}.`);
        }}
      />
    </div>
  );
}

const columns: readonly ColumnSpec<BalanceItem>[] = [
  {
    head: 'Asset',
    cell: ({ asset, account }) => <a href={to('/transactions', { years: 'all', asset, account })}>{asset}</a>,
  },
  { head: 'Account', cell: ({ account }) => account },
  { head: 'End of', kind: 'day', cell: ({ on }) => on },
  { head: 'On the statement', kind: 'quantity', cell: ({ quantity }) => quantity },
  { head: 'From transactions', kind: 'quantity', cell: ({ books }) => books },
  {
    head: 'Difference',
    kind: 'number',
    cell: ({ difference }) =>
      isZero(difference) ? (
        'matches'
      ) : (
        <strong class="loss">
          <Quantity amount={difference} />
        </strong>
      ),
  },
  removeColumn(({ asset, account, on }) => `the balance of ${asset} in ${account} on ${day(on)}`, remove),
];

async function remove({ id, account, asset, on, quantity }: BalanceItem): Promise<void> {
  await write(api.balances({ id }).delete());
  const restore = async () => void (await write(api.balances.post({ account, asset, on, quantity })));
  say(`Balance removed: ${asset} in ${account}.`, restore);
}

import { useState } from 'preact/hooks';
import { to } from '../../api/acting.ts';
import { useResource } from '../../api/resource.ts';
import { useSettings } from '../../api/settings.ts';
import { count } from '../../format/amounts.ts';
import { classNames } from '../../format/asset-classes.ts';
import { day } from '../../format/dates.ts';
import { methodNames } from '../../format/methods.ts';
import { Icon } from '../../parts/icon.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { AccountForm } from './account-form.tsx';
import { type BooksAccountRow, readAccounts } from './account-rows.ts';
import { accountTypeNames, formNames } from './names.ts';
import { StandingOrders } from './standing-orders.tsx';

/** Every account: its sources, and what is stated of it. */
export function Accounts() {
  const [opened, setOpened] = useState<BooksAccountRow | null>(null);
  const settings = useSettings();
  return (
    <ResourceView reading={useResource('accounts', readAccounts)}>
      {({ data }) =>
        data.length === 0 ? (
          <section class="card">
            <h2>No account yet</h2>
            <p>
              Accounts come with your files. <a href={to('/import')}>Import the first</a>, and it stands here.
            </p>
          </section>
        ) : (
          <>
            <Suggestions accounts={data} onOpen={setOpened} />
            <AccountsTable accounts={data} onOpen={setOpened} />
            {opened !== null && (
              <AccountForm key={opened.account} account={opened} accounts={data} onClose={() => setOpened(null)} />
            )}
            {settings.data && <StandingOrders settings={settings.data} accounts={data.map(({ account }) => account)} />}
          </>
        )
      }
    </ResourceView>
  );
}

interface AccountsProps {
  readonly accounts: readonly BooksAccountRow[];
  readonly onOpen: (account: BooksAccountRow) => void;
}

/** Accounts whose names say that they are not taxed, while the books tax them. */
function Suggestions({ accounts, onOpen }: AccountsProps) {
  const asked = accounts.filter(({ suggested, settings }) => suggested.type !== null && settings === null);
  return (
    <>
      {asked.map((account) => (
        <div key={account.account} class="notice">
          <Icon name="warning" />
          <div>
            <p>
              The name of <strong>{account.account}</strong> says {accountTypeNames[account.suggested.type ?? 'ira']},
              and the books tax it. Nothing in such an account is taxed.
            </p>
          </div>
          <button type="button" onClick={() => onOpen(account)}>
            State its type
          </button>
        </div>
      ))}
    </>
  );
}

function AccountsTable({ accounts, onOpen }: AccountsProps) {
  return (
    <section class="card">
      <h2>Accounts</h2>
      <Scroll label="Accounts">
        <table>
          <TableHead columns={['Account', 'From', 'Type', 'Form of its sales', 'Method', { unseen: 'Change' }]} />
          <tbody>
            {accounts.map((each) => (
              <AccountLine key={each.account} row={each} onOpen={onOpen} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

interface AccountLineProps {
  readonly row: BooksAccountRow;
  readonly onOpen: (account: BooksAccountRow) => void;
}

function AccountLine({ row, onOpen }: AccountLineProps) {
  const { account, settings, suggested, method, transactions, firstDate, lastDate, sources, assetClasses } = row;
  return (
    <tr>
      <th scope="row" class="dated">
        <a href={to('/transactions', { account })}>{account}</a>
        <div class="fine">
          {transactions === 0
            ? 'No transaction names it yet.'
            : `${count(transactions)} from ${day(firstDate ?? '')} to ${day(lastDate ?? '')}`}
        </div>
      </th>
      <td>
        {sources.map(({ name }) => name).join(', ') || <span class="muted">nothing yet</span>}
        <div class="fine">{assetClasses.map((each) => classNames[each].toLowerCase()).join(', ')}</div>
      </td>
      <td>{accountTypeNames[settings?.type ?? 'taxable']}</td>
      <td>
        {settings?.form !== undefined ? (
          formNames[settings.form]
        ) : (
          <>
            {suggested.form ?? 'No form'}
            <div class="fine">{whyForm[suggested.because ?? 'nothing']}</div>
          </>
        )}
      </td>
      <td>{method === null ? <span class="muted">that of all</span> : methodNames[method]}</td>
      <td class="number">
        <button type="button" aria-label={`Change ${account}`} onClick={() => onOpen(row)}>
          Change
        </button>
      </td>
    </tr>
  );
}

const whyForm = {
  lines: 'by its 1099 lines',
  source: 'by its source',
  nothing: 'nothing says one',
} as const;

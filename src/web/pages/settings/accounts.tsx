import { useState } from 'preact/hooks';
import { type BooksAccountRow, useAccounts } from '../../api/accounts.ts';
import { to } from '../../api/page-url.ts';
import { useSettings } from '../../api/settings.ts';
import { count } from '../../format/amounts.ts';
import { classNames } from '../../format/asset-classes.ts';
import { day } from '../../format/dates.ts';
import { methodNames } from '../../format/methods.ts';
import { Notice } from '../../parts/notice.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { Table } from '../../parts/tables/table.tsx';
import { AccountForm } from './account-form.tsx';
import { accountTypeNames, formNames } from './names.ts';
import { StandingOrders } from './standing-orders.tsx';

/** Every account, with its sources and settings. */
export function Accounts() {
  const [opened, setOpened] = useState<BooksAccountRow | null>(null);
  const settings = useSettings();
  return (
    <ResourceView reading={useAccounts()}>
      {({ data }) =>
        data.length === 0 ? (
          <section class="card">
            <h2>No accounts yet</h2>
            <p>
              Accounts appear when you import files. <a href={to('/import')}>Import your first file</a>.
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

/** Accounts whose names suggest a tax-free type, but which are set to taxable. */
function Suggestions({ accounts, onOpen }: AccountsProps) {
  const unsetAccounts = accounts.filter(({ suggested, settings }) => suggested.type !== null && settings === null);
  return (
    <>
      {unsetAccounts.map((account) => (
        <Notice
          key={account.account}
          action={
            <button type="button" onClick={() => onOpen(account)}>
              Set type
            </button>
          }
        >
          <p>
            <strong>{account.account}</strong> looks like a tax-free account (
            {accountTypeNames[account.suggested.type ?? 'ira']}), but it is set to taxable.
          </p>
        </Notice>
      ))}
    </>
  );
}

function AccountsTable({ accounts, onOpen }: AccountsProps) {
  return (
    <section class="card">
      <h2>Accounts</h2>
      <Table
        label="Accounts"
        rows={accounts}
        keyOf={({ account }) => account}
        columns={[
          { head: 'Account', cell: formatName },
          { head: 'From', cell: formatSources },
          { head: 'Type', cell: ({ settings }) => accountTypeNames[settings?.type ?? 'taxable'] },
          { head: 'Tax form', cell: formatReturn },
          {
            head: 'Method',
            cell: ({ method }) => (method === null ? <span class="muted">same as default</span> : methodNames[method]),
          },
          {
            head: 'Change',
            kind: 'buttons',
            cell: (row) => (
              <button type="button" aria-label={`Change ${row.account}`} onClick={() => onOpen(row)}>
                Change
              </button>
            ),
          },
        ]}
      />
    </section>
  );
}

function formatName({ account, transactions, firstDate, lastDate }: BooksAccountRow) {
  return (
    <>
      <a href={to('/transactions', { years: 'all', account })}>{account}</a>
      <div class="fine">
        {transactions === 0
          ? 'No transactions yet.'
          : `${count(transactions)} from ${day(firstDate ?? '')} to ${day(lastDate ?? '')}`}
      </div>
    </>
  );
}

function formatSources({ sources, assetClasses }: BooksAccountRow) {
  return (
    <>
      {sources.map(({ name }) => name).join(', ') || <span class="muted">none</span>}
      <div class="fine">{assetClasses.map((each) => classNames[each].toLowerCase()).join(', ')}</div>
    </>
  );
}

/** The information return for the account's sales: the one that is set, or the assumed one. */
function formatReturn({ settings, suggested }: BooksAccountRow) {
  if (settings?.form !== undefined) return formNames[settings.form];
  if (suggested.because === 'name')
    return (
      <>
        No form
        <div class="fine">assumed; its name suggests {suggested.form}</div>
      </>
    );
  return (
    <>
      {suggested.form ?? 'No form'}
      <div class="fine">{whyForm[suggested.because ?? 'nothing']}</div>
    </>
  );
}

const whyForm = {
  lines: 'from its 1099 entries',
  source: 'from the broker',
  nothing: 'assumed',
} as const;

import { useState } from 'preact/hooks';
import { to } from '../../api/page-url.ts';
import { type BooksSettings, useSettings } from '../../api/settings.ts';
import { type BooksAccountRow, useAccounts } from '../../api/status.ts';
import { count } from '../../format/amounts.ts';
import { day } from '../../format/dates.ts';
import { classNames, methodNames, orderNames } from '../../format/methods.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { toOptions } from '../../parts/field.tsx';
import { filled } from '../../parts/form.tsx';
import { Card, Notice, ResourceView } from '../../parts/page.tsx';
import { Table } from '../../parts/tables/table.tsx';
import { accountTypeNames, formNames, parseYesNo, toYesNo, yesOrNo } from './names.ts';
import { removeColumn, SettingsForm, SettingsList } from './settings-form.tsx';

/** Every account, with its sources and settings. */
export function Accounts() {
  const [opened, setOpened] = useState<BooksAccountRow | null>(null);
  const settings = useSettings();
  return (
    <ResourceView reading={useAccounts()}>
      {({ data }) =>
        data.length === 0 ? (
          <Card title="No accounts yet">
            <p>
              Accounts appear when you import files. <a href={to('/import')}>Import your first file</a>.
            </p>
          </Card>
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
        <Notice key={account.account} action={<Button label="Set type" onClick={() => onOpen(account)} />}>
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
    <Card title="Accounts">
      <Table
        label="Accounts"
        rows={accounts}
        keyOf={({ account }) => account}
        columns={[
          {
            head: 'Account',
            cell: ({ account }) => <a href={to('/transactions', { years: 'all', account })}>{account}</a>,
            note: ({ transactions, firstDate, lastDate }) =>
              transactions === 0
                ? 'No transactions yet.'
                : `${count(transactions)} from ${day(firstDate ?? '')} to ${day(lastDate ?? '')}`,
          },
          {
            head: 'From',
            cell: ({ sources }) => sources.map(({ name }) => name).join(', ') || <span class="muted">none</span>,
            note: ({ assetClasses }) => assetClasses.map((each) => classNames[each].toLowerCase()).join(', '),
          },
          { head: 'Type', cell: ({ settings }) => accountTypeNames[settings?.type ?? 'taxable'] },
          // The information return for the account's sales: the one that is set, or the assumed one.
          {
            head: 'Tax form',
            cell: ({ settings, suggested }) =>
              settings?.form === undefined
                ? ((suggested.because === 'name' ? null : suggested.form) ?? 'No form')
                : formNames[settings.form],
            note: ({ settings, suggested }) => settings?.form === undefined && describeAssumption(suggested),
          },
          {
            head: 'Method',
            cell: ({ method }) => (method === null ? <span class="muted">same as default</span> : methodNames[method]),
          },
          {
            head: 'Change',
            kind: 'buttons',
            cell: (row) => <Button label="Change" aria-label={`Change ${row.account}`} onClick={() => onOpen(row)} />,
          },
        ]}
      />
    </Card>
  );
}

function describeAssumption({ because, form }: BooksAccountRow['suggested']): string {
  return because === 'name' ? `assumed; its name suggests ${form}` : whyForm[because ?? 'nothing'];
}

const whyForm = { lines: 'from its 1099 entries', source: 'from the broker', nothing: 'assumed' } as const;

interface AccountFormProps {
  readonly account: BooksAccountRow;
  /** All accounts, because a wallet can consist of several accounts. */
  readonly accounts: readonly BooksAccountRow[];
  readonly onClose: () => void;
}

/** The taxpayer's settings for one account, with a preview of their effect. */
function AccountForm({ account: row, accounts, onClose }: AccountFormProps) {
  const { account, settings, suggested } = row;
  const { form, wallet = '' } = settings ?? {};
  const byRows = suggested.form === null || suggested.because === 'name' ? 'no form' : `Form ${suggested.form}`;
  const others = accounts.map((each) => each.account).filter((name) => name !== account);
  return (
    <Dialog title={account} onClose={onClose}>
      <SettingsForm
        fields={{
          type: {
            label: 'Type',
            value: settings?.type ?? 'taxable',
            options: toOptions(accountTypeNames),
            hint: 'Sales in an IRA, HSA or 401(k) are not taxed, but a purchase there can still cause a wash sale.',
          },
          form: {
            label: 'Tax form',
            value: form ?? '',
            options: [{ value: '', label: `From its transactions: ${byRows}` }, ...toOptions(formNames)],
            hint: 'The form your broker sends decides the Form 8949 box.',
          },
          basisReported: {
            label: 'Basis reported to the IRS',
            value: toYesNo(settings?.basisReported),
            options: toOptions({ '': 'By purchase date', yes: 'For all lots', no: 'For no lots' }),
          },
          method: {
            label: 'Method',
            value: row.method ?? '',
            options: [{ value: '', label: 'Same as default' }, ...toOptions(methodNames)],
          },
          assetClass: {
            label: "Asset class if a row doesn't give one",
            value: settings?.assetClass ?? '',
            options: [{ value: '', label: 'From the broker' }, ...toOptions(classNames)],
          },
          wallet: {
            label: 'Wallet',
            value: wallet,
            options: [
              { value: '', label: 'Separate' },
              ...others.map((name) => ({ value: name, label: `Shared with ${name}` })),
              ...(['', account, ...others].includes(wallet) ? [] : [{ value: wallet, label: wallet }]),
            ],
            hint: 'Accounts in one wallet share their crypto lots.',
          },
          toldBroker: {
            label: 'Broker notified of lot selections since',
            type: 'date',
            value: settings?.toldBroker ?? '',
            hint: 'From 2027, selecting lots of crypto held at a broker requires notifying the broker.',
          },
          toldBrokerHow: {
            label: 'How the broker confirmed it',
            value: settings?.toldBrokerHow ?? '',
            hint: 'For your records, like “Chat of December 5, ticket 4711”.',
          },
          paymentProcessor: {
            label: 'Payment processor',
            value: settings?.paymentProcessor === true ? 'yes' : 'no',
            options: yesOrNo.toReversed(),
            hint: 'It need not report crypto payments of $600 a year or less.',
          },
        }}
        proposed={settings?.type === undefined && suggested.type !== null ? { type: suggested.type } : {}}
        // Includes only values that are set because an account without values has no settings.
        patch={({ method, type, basisReported, paymentProcessor, ...stated }) => ({
          accounts: {
            [account]: {
              type,
              form: stated.form || null,
              assetClass: stated.assetClass || null,
              basisReported: parseYesNo(basisReported),
              wallet: stated.wallet || null,
              toldBroker: stated.toldBroker || null,
              toldBrokerHow: stated.toldBrokerHow.trim() || null,
              paymentProcessor: paymentProcessor === 'yes' || null,
            },
          },
          methodByAccount: { [account]: method || null },
        })}
        said={`${account} saved.`}
        onClose={onClose}
      />
    </Dialog>
  );
}

interface StandingOrdersProps {
  readonly settings: BooksSettings;
  readonly accounts: readonly string[];
}

/** Standing instructions to a broker that choose lots ahead of sales. */
function StandingOrders({ settings: { standingOrders }, accounts }: StandingOrdersProps) {
  return (
    <Card title="Standing lot instructions">
      <p>
        An instruction you gave before a sale chooses its lots, like “sell the highest cost first”. It applies to sales
        after its effective date. The most specific one wins.
      </p>
      <SettingsList
        items={standingOrders}
        fields={{
          account: {
            label: 'Account',
            options: [
              { value: '', label: 'All accounts' },
              ...accounts.map((account) => ({ value: account, label: account })),
            ],
          },
          asset: { label: 'Asset', hint: 'Leave blank for all assets.' },
          method: { label: 'Which lots', value: 'HIFO', options: toOptions(orderNames) },
          madeAt: { label: 'Effective date', type: 'date', isRequired: true, hint: 'Earlier sales keep their method.' },
          toldBroker: {
            label: 'Broker notified',
            type: 'date',
            hint: 'Optional. Required from 2027 for crypto held at a broker.',
          },
        }}
        add={({ account, asset, method, madeAt, toldBroker }) => [
          ...standingOrders,
          { method, madeAt, ...filled({ account, asset: asset.trim(), toldBroker }) },
        ]}
        patch={(items) => ({ standingOrders: items })}
        said="Standing instructions saved."
      >
        {(remove) => (
          <Table
            label="Standing lot instructions"
            rows={standingOrders}
            keyOf={(order) => JSON.stringify(order)}
            empty=""
            columns={[
              { head: 'Account', cell: ({ account = 'All accounts' }) => account },
              { head: 'Asset', cell: ({ asset = 'All assets' }) => asset },
              { head: 'Which lots', cell: ({ method }) => methodNames[method] },
              { head: 'Effective date', kind: 'day', cell: ({ madeAt }) => madeAt },
              {
                head: 'Broker notified',
                kind: 'day',
                cell: ({ toldBroker }) => toldBroker ?? <span class="muted">not set</span>,
              },
              removeColumn(
                ({ account = 'all accounts', asset = 'all assets' }) => `the instruction for ${account} and ${asset}`,
                remove,
              ),
            ]}
          />
        )}
      </SettingsList>
    </Card>
  );
}

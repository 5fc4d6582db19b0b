import { useState } from 'preact/hooks';
import type { AccountType, AssetClass, LotMethod } from '../../../engine/model.ts';
import type { SettingsPatch } from '../../api/settings.ts';
import { classNames } from '../../format/asset-classes.ts';
import { methodNames } from '../../format/methods.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import type { BooksAccountRow } from './account-rows.ts';
import { accountTypeNames, formNames, toOptions } from './names.ts';
import { FormChange } from './settings-change.tsx';

interface AccountFormProps {
  readonly account: BooksAccountRow;
  /** All accounts, because a wallet can consist of several accounts. */
  readonly accounts: readonly BooksAccountRow[];
  readonly onClose: () => void;
}

interface AccountFields {
  readonly type: AccountType;
  readonly form: '' | keyof typeof formNames;
  readonly method: '' | LotMethod;
  readonly assetClass: '' | AssetClass;
  readonly basisReported: '' | 'yes' | 'no';
  readonly wallet: string;
  readonly toldBroker: string;
  readonly toldBrokerHow: string;
  readonly paymentProcessor: 'yes' | 'no';
}

/** The taxpayer's settings for one account, with a preview of their effect. */
export function AccountForm({ account: row, accounts, onClose }: AccountFormProps) {
  const before = toAccountFields(row);
  const [fields, setFields] = useState<AccountFields>({
    ...before,
    type: row.settings?.type ?? row.suggested.type ?? 'taxable',
  });
  const put = (change: Partial<AccountFields>) => setFields({ ...fields, ...change });
  const isSame = JSON.stringify(fields) === JSON.stringify(before);
  const { form: suggestedForm, because } = row.suggested;
  const byRows = suggestedForm === null || because === 'name' ? 'no form' : `Form ${suggestedForm}`;
  return (
    <Dialog title={row.account} onClose={onClose}>
      <div class="fields">
        <Choice
          label="Type"
          value={fields.type}
          options={toOptions(accountTypeNames)}
          onChange={(type) => put({ type })}
          hint="Sales in an IRA, HSA or 401(k) are not taxed, but a purchase there can still cause a wash sale."
        />
        <Choice
          label="Tax form"
          value={fields.form}
          options={[{ value: '', label: `From its transactions: ${byRows}` }, ...toOptions(formNames)]}
          onChange={(form) => put({ form })}
          hint="The form your broker sends decides the Form 8949 box."
        />
        <Choice
          label="Basis reported to the IRS"
          value={fields.basisReported}
          options={[
            { value: '', label: 'By purchase date' },
            { value: 'yes', label: 'For all lots' },
            { value: 'no', label: 'For no lots' },
          ]}
          onChange={(basisReported) => put({ basisReported })}
        />
        <Choice
          label="Method"
          value={fields.method}
          options={[{ value: '', label: 'Same as default' }, ...toOptions(methodNames)]}
          onChange={(method) => put({ method })}
        />
        <Choice
          label="Asset class if a row doesn't give one"
          value={fields.assetClass}
          options={[{ value: '', label: 'From the broker' }, ...toOptions(classNames)]}
          onChange={(assetClass) => put({ assetClass })}
        />
        <Choice
          label="Wallet"
          value={fields.wallet}
          options={[
            { value: '', label: 'Separate' },
            ...accounts
              .filter(({ account }) => account !== row.account)
              .map(({ account }) => ({ value: account, label: `Shared with ${account}` })),
            ...(isWalletListed(fields.wallet, accounts) ? [] : [{ value: fields.wallet, label: fields.wallet }]),
          ]}
          onChange={(wallet) => put({ wallet })}
          hint="Accounts in one wallet share their crypto lots."
        />
        <Field
          label="Broker notified of lot selections since"
          type="date"
          value={fields.toldBroker}
          onInput={(toldBroker) => put({ toldBroker })}
          hint="From 2027, selecting lots of crypto held at a broker requires notifying the broker."
        />
        <Field
          label="How the broker confirmed it"
          value={fields.toldBrokerHow}
          onInput={(toldBrokerHow) => put({ toldBrokerHow })}
          hint="For your records, like “Chat of December 5, ticket 4711”."
        />
        <Choice
          label="Payment processor"
          value={fields.paymentProcessor}
          options={[
            { value: 'no', label: 'No' },
            { value: 'yes', label: 'Yes' },
          ]}
          onChange={(paymentProcessor) => put({ paymentProcessor })}
          hint="It need not report crypto payments of $600 a year or less."
        />
      </div>
      <FormChange
        isSame={isSame}
        patch={buildAccountPatch(row, fields)}
        said={`${row.account} saved.`}
        onClose={onClose}
      />
    </Dialog>
  );
}

function isWalletListed(wallet: string, accounts: readonly BooksAccountRow[]): boolean {
  return wallet === '' || accounts.some(({ account }) => account === wallet);
}

function toAccountFields({ settings, method }: BooksAccountRow): AccountFields {
  const { type = 'taxable', form = '', assetClass = '', basisReported, wallet = '' } = settings ?? {};
  const { toldBroker = '', toldBrokerHow = '' } = settings ?? {};
  const paymentProcessor = settings?.paymentProcessor === true ? 'yes' : 'no';
  const reported = basisReported === undefined ? '' : basisReported ? 'yes' : 'no';
  return {
    type,
    form,
    method: method ?? '',
    assetClass,
    basisReported: reported,
    wallet,
    toldBroker,
    toldBrokerHow,
    paymentProcessor,
  };
}

/** Includes only values that are set because an account without values has no settings. */
function buildAccountPatch({ account }: BooksAccountRow, fields: AccountFields): SettingsPatch {
  const { type, form, method, assetClass, basisReported, wallet, toldBroker, toldBrokerHow, paymentProcessor } = fields;
  const stated = {
    type,
    form: form || null,
    assetClass: assetClass || null,
    basisReported: basisReported === '' ? null : basisReported === 'yes',
    wallet: wallet || null,
    toldBroker: toldBroker || null,
    toldBrokerHow: toldBrokerHow.trim() || null,
    paymentProcessor: paymentProcessor === 'yes' || null,
  };
  return { accounts: { [account]: stated }, methodByAccount: { [account]: method || null } };
}

import type { BooksAccountRow } from '../../api/accounts.ts';
import { classNames } from '../../format/asset-classes.ts';
import { methodNames } from '../../format/methods.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { accountTypeNames, formNames, parseYesNo, toOptions, toYesNo, yesOrNo } from './names.ts';
import { SettingsForm } from './settings-form.tsx';

interface AccountFormProps {
  readonly account: BooksAccountRow;
  /** All accounts, because a wallet can consist of several accounts. */
  readonly accounts: readonly BooksAccountRow[];
  readonly onClose: () => void;
}

/** The taxpayer's settings for one account, with a preview of their effect. */
export function AccountForm({ account: row, accounts, onClose }: AccountFormProps) {
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
            options: [
              { value: '', label: 'By purchase date' },
              { value: 'yes', label: 'For all lots' },
              { value: 'no', label: 'For no lots' },
            ],
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

import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type HeaderColumns, type Outcome } from '../reader.ts';
import { findLabelType, incomeLabels, outgoingLabels } from '../tables/kinds.ts';
import { readSide } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';

/** Reads Koinly's own transactions, from exports and from bulk edits. Every row names its wallets. Times are UTC. */
export const koinlyTransactions = coinFormat(
  { id: 'koinly-transactions', name: 'Koinly transactions', source: 'Koinly' },
  [
    {
      id: 'export',
      results: { positions: { column: /^gain \([a-z]{3}\)$/i } },
      header: `Date | Type | Sending Wallet | Sent Amount | Sent Currency | Receiving Wallet | Received Amount |
        Received Currency | Fee Amount | Fee Currency`,
      read: (cells, _layout, columns) => readRow(cells, exported(columns)),
    },
    {
      id: 'bulk-edit',
      header: `ID (read-only) | Date (UTC) | Type | From Wallet (read-only) | From Amount | From Currency |
        To Wallet (read-only) | To Amount | To Currency | Fee Amount | Fee Currency`,
      read: (cells) => readRow(cells, edited),
    },
  ],
);

interface KoinlyNames {
  readonly date: string;
  readonly id: string;
  readonly label: string;
  readonly sent: readonly [wallet: string, asset: string, quantity: string];
  readonly received: readonly [wallet: string, asset: string, quantity: string];
  readonly worth: string;
  /** The column with the currency of `worth`, or that currency. */
  readonly currency: { readonly column: string } | { readonly code: string };
}

function exported(columns: HeaderColumns): KoinlyNames {
  const worth = columns.names.find((name) => /^net value \(\w{3}\)$/i.test(name)) ?? '';
  return {
    date: 'Date',
    id: 'TxHash',
    label: columns.pick('Label', 'Tag'),
    sent: ['Sending Wallet', 'Sent Currency', 'Sent Amount'],
    received: ['Receiving Wallet', 'Received Currency', 'Received Amount'],
    worth,
    currency: { code: worth.slice(-4, -1).toUpperCase() },
  };
}

const edited: KoinlyNames = {
  date: 'Date (UTC)',
  id: 'ID (read-only)',
  label: 'Tag',
  sent: ['From Wallet (read-only)', 'From Currency', 'From Amount'],
  received: ['To Wallet (read-only)', 'To Currency', 'To Amount'],
  worth: 'Net Value (read-only)',
  currency: { column: 'Value Currency (read-only)' },
};

function readRow(cells: Cells, names: KoinlyNames): Outcome {
  const [fromWallet, ...sent] = names.sent;
  const [toWallet, ...gotten] = names.received;
  const [given, received, fee] = [
    dropSymbolNumber(readSide(cells, ...sent)),
    dropSymbolNumber(readSide(cells, ...gotten)),
    dropSymbolNumber(readSide(cells, 'Fee Currency', 'Fee Amount')),
  ];
  const time = cells.time(names.date);
  const label = cells.text(names.label).toLowerCase();
  if (/^(?:true|yes|1)$/i.test(cells.text('Deleted'))) return cells.skip(skips.deletedRow);
  if (/margin|realized|futures/.test(label)) return cells.rejected(names.label, rejections.marginGains);
  const worth = names.worth === '' ? null : cells.roundedMoney(names.worth);
  const currency = 'code' in names.currency ? names.currency.code : cells.text(names.currency.column).toUpperCase();
  const kind = findLabelType(label, received === null ? outgoingLabels : incomeLabels);
  const account = cells.text(given === null ? toWallet : fromWallet);
  const common = { account, externalId: cells.text(names.id), note: cells.text('Description') };
  const toAccount = cells.text(toWallet);
  const movement = { given, received, fee, kind, worth, toAccount, ...(currency === '' ? {} : { currency }) };
  return readMovement(cells, time, movement, common);
}

/** Removes the number that Koinly uses to distinguish two coins with the same symbol: `WFLR;9546698`. */
function dropSymbolNumber<S extends { readonly asset: string } | null>(side: S): S {
  return side === null ? side : { ...side, asset: side.asset.split(';')[0] ?? side.asset };
}

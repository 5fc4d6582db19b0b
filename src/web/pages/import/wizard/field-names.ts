import type { LotbookMember } from '../../../../formats/lotbook-columns.ts';
import type { MappedField } from '../../../../formats/mapping/mapping.ts';
import { allMembers, memberNames } from '../../../format/member-names.ts';

/** The fields that most files have, those needed most first, in the words that a column of a file needs. */
const usual = {
  date: 'Date',
  time: 'Time of the day',
  type: 'Type: purchase, sale, dividend…',
  label: 'Type, a second word',
  account: 'Account',
  asset: 'Asset: symbol or name',
  pair: 'Pair, as BTC-USD',
  quote: 'What the asset is traded for',
  quantity: 'Quantity',
  price: 'Price of one unit',
  amount: 'Amount without the fee',
  total: 'Amount with the fee',
  debit: 'Money out',
  credit: 'Money in',
  fee: 'Fee',
  currency: 'Currency',
  sentAsset: 'Asset given',
  sentQuantity: 'Quantity given',
  receivedAsset: 'Asset received',
  receivedQuantity: 'Quantity received',
  feeAsset: 'Asset of the fee',
  feeQuantity: 'Fee in units of its asset',
  status: 'State: done or canceled',
  tax: 'Tax withheld of a sale',
  openedAt: 'Closed position: opened at',
  openPrice: 'Closed position: opening price',
  openAmount: 'Closed position: opening value',
  gain: 'Realized gain, after fees',
  grossGain: 'Realized gain, before fees',
  financing: 'Swap or rollover',
  effect: 'Opens or closes a position',
  expiration: 'Option: expiration',
  strike: 'Option: strike price',
  multiplier: 'Contract: units or dollars per point',
} satisfies Partial<Record<MappedField, string>> & Record<Exclude<MappedField, LotbookMember>, string>;

/** What a column of a file may hold, in words. */
export const fieldNames: ReadonlyMap<MappedField, string> = new Map([
  ...(Object.entries(usual) as [MappedField, string][]),
  ...allMembers.filter((member) => !(member in usual)).map((member) => [member, memberNames[member].label] as const),
]);

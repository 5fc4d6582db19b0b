import type { LotbookMember } from '../../../../formats/lotbook-columns.ts';
import type { MappedField } from '../../../../formats/mapping/mapping.ts';
import { allMembers, memberNames } from '../../../format/member-names.ts';

/** Display names of the fields, most frequently needed first. */
const usual = {
  date: 'Date',
  time: 'Time of day',
  type: 'Type: buy, sell, dividend…',
  label: 'Subtype',
  account: 'Account',
  asset: 'Asset: symbol or name',
  pair: 'Trading pair (BTC-USD)',
  quote: 'Asset it is traded for',
  quantity: 'Quantity',
  price: 'Price per unit',
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
  feeAsset: 'Fee currency',
  feeQuantity: 'Fee in units of its currency',
  status: 'Status (completed, canceled)',
  tax: 'Tax withheld on a sale',
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

/** The fields that a column can hold, with their display names. */
export const fieldNames: ReadonlyMap<MappedField, string> = new Map([
  ...(Object.entries(usual) as [MappedField, string][]),
  ...allMembers.filter((member) => !(member in usual)).map((member) => [member, memberNames[member].label] as const),
]);

/** Returns the display name of a column in an error. An error about a field that no column holds names the field. */
export const nameColumn = (column: string): string => new Map<string, string>(fieldNames).get(column) ?? column;

import { transactionTypes } from '../../engine/model.ts';
import { rowOf } from '../../engine/transaction-types.ts';
import type { MappedField, MappedType } from './mapping.ts';

/** The words that files of unknown sources share: types of rows, and headers of columns. */

/** The type that a word means to everybody. Undefined where the mapping must state it. */
export function typeOfWord(word: string): MappedType | undefined {
  const plain = plainWords(word);
  return transactionTypes.find((type) => type === plain.replaceAll(' ', '_')) ?? typeOfCommonWord.get(plain);
}

/** Lower-case letters and digits with single blanks: `Buy/Sell` and `buy_sell` become `buy sell`. */
export function plainWords(text: string): string {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const skippedWords =
  'cash deposit|cash withdrawal|ach deposit|ach withdrawal|wire in|wire out|bank transfer|cancelled|canceled|rejected|pending|failed';

const typeOfCommonWord: ReadonlyMap<string, MappedType> = new Map([
  ...transactionTypes.flatMap((type) =>
    bars(rowOf(type).alsoCalled ?? '').map((word): [string, MappedType] => [word, type]),
  ),
  ...bars(skippedWords).map((word): [string, MappedType] => [word, 'skip']),
]);

/** The headers of each field, the likeliest first. */
export const namesOfField: Partial<Record<MappedField, readonly string[]>> = {
  date: [
    'date|trade date|transaction date|date time|datetime|timestamp|date utc|time utc|utc time|executed at|created at|execution time',
    'activity date|run date|filled at|fill time|completed at|date sold|sale date|date executed|datum|fecha|order date|time',
  ].flatMap(bars),
  time: bars('time|trade time|transaction time|execution time|time of day|uhrzeit|hora'),
  type: bars(
    'type|side|action|transaction type|buy sell|trade type|operation|activity|kind|direction|event|transaction|description of trade|activity type|typ|tipo',
  ),
  asset: bars(
    'asset|symbol|ticker|coin|instrument|token|security|stock|crypto|cryptocurrency|ticker symbol|asset name|base currency|base asset|fund|market symbol',
  ),
  pair: bars('pair|trading pair|market|currency pair|product|symbol|instrument|product id|market name'),
  quantity: bars(
    'quantity|qty|units|shares|volume|size|no of shares|number of shares|filled quantity|executed quantity|quantity transacted|asset amount|coin amount|asset quantity|filled|anzahl|cantidad',
  ),
  price: bars(
    'price|unit price|price per unit|price per share|price per coin|spot price|avg price|average price|fill price|share price|execution price|amount share|amount per share|amount per unit|rate|trade price|preis|precio',
  ),
  amount: bars(
    'amount|value|proceeds|gross amount|gross|subtotal|principal|principal amount|consideration|gross value|total value|market value|usd value|amount usd|usd amount|value usd|betrag|importe',
  ),
  total: bars('total|net amount|net|total amount|net value|net proceeds|total cost|total usd|amount net'),
  fee: bars(
    'fee|fees|commission|commissions|trading fee|brokerage|charges|fees and commissions|commission fees|fee usd|gebühr',
  ),
  currency: bars(
    'currency|ccy|quote currency|price currency|settlement currency|trade currency|cur|währung|quote asset',
  ),
  feeAsset: bars('fee currency|fee asset|fee coin|fee ccy|fee unit|fee token'),
  receivedAsset: bars('received asset|received currency|to asset|to currency|asset received|to coin|receive asset'),
  receivedQuantity: bars('received quantity|received amount|quantity received|amount received|to amount|to quantity'),
  externalId: bars(
    'id|transaction id|trade id|order id|txid|tx id|tx hash|reference|ref|transaction hash|hash|trade number|order number|confirmation|execution id|fill id|uuid',
  ),
  note: bars('note|notes|description|memo|comment|comments|remark|remarks|details'),
  account: bars('account|wallet|exchange|portfolio|account name|account number|platform|broker|konto|cuenta'),
  acquired: bars('date acquired|acquired|acquisition date|purchase date|open date|opened'),
  basis: bars('basis|cost basis|adjusted basis'),
  toAccount: bars('to account|destination|destination wallet|to wallet'),
  assetClass: bars('asset class|asset type|security type|instrument type'),
};

function bars(list: string): string[] {
  return list === '' ? [] : list.split('|');
}

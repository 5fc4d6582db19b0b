import { normalizeHeader } from './cells/cells.ts';
import type { Row } from './format.ts';

/**
 * A known export that has no format because its rows lack information. Lotbook proposes a mapping with questions, and
 * shows the reason.
 */
interface UnreadLayout {
  /** The service and the file, in everyday words. */
  readonly name: string;
  readonly columns: readonly string[];
  /** Set if the columns are everyday words. A header with any additional column then belongs to a different file. */
  readonly isWhole?: true;
  readonly why: string;
}

const ofFutures = 'futures settle gains in crypto and no row has the value; enter the gains manually';
const withoutCoin = 'no column names the coin';
const ownAddress = 'no column shows which address is yours';

export const unreadLayouts: readonly UnreadLayout[] = [
  {
    name: 'KuCoin realized gains of futures',
    columns: ['UID', 'Account Type', 'Symbol', 'Close Type', 'Realized PNL', 'Total Realized PNL'],
    why: ofFutures,
  },
  {
    name: 'BloFin futures',
    columns: ['Underlying Asset', 'order_time', 'Filled(Quantity)', 'PNL', 'PNL%', 'Reduce-only'],
    why: ofFutures,
  },
  {
    name: 'BloFin funding of futures',
    columns: ['symbol', 'QTY', 'Funding rate', 'Funding type', 'Funding Fee'],
    why: ofFutures,
  },
  {
    name: 'MEXC futures',
    columns: ['Futures Trading Pair', 'Direction', 'Leverage', 'Closing PNL', 'Trading Fee'],
    why: ofFutures,
  },
  {
    name: 'Deribit transactions',
    columns: ['UserSeq', 'Date', 'Instrument', 'Type', 'Side', 'Position', 'Cash Flow', 'Funding', 'Equity'],
    why: ofFutures,
  },
  {
    name: 'Jupiter futures',
    columns: ['Owner', 'Symbol', 'Created At', 'Action', 'Size (USD)', 'PnL (USD)', 'Liquidation Fee (USD)'],
    why: ofFutures,
  },
  {
    name: 'KuCoin coins for currency by other payment',
    columns: ['Order ID', 'Currency (Crypto)', 'Crypto Quantity', 'Currency (Fiat)', 'Fee (Fiat)', 'Payment Method'],
    why: 'no column shows whether the crypto was bought or sold',
  },
  {
    name: 'HitBTC deposits and withdrawals without a currency',
    columns: ['Date (UTC)', 'Operation id', 'Type', 'Amount', 'Transaction Hash', 'Main account balance'],
    why: withoutCoin,
  },
  {
    name: 'OKX trades until 2021',
    columns: ['time', 'type', 'size', 'balance', 'fee', 'currency'],
    isWhole: true,
    why: 'a trade has two rows linked only by their time, and the column names are too common',
  },
  {
    name: 'Poloniex distributions',
    columns: ['date', 'currency', 'amount', 'wallet'],
    isWhole: true,
    why: 'no column shows whether a row is an airdrop, interest or a fork',
  },
  {
    name: 'Bittrex trades until 2014',
    columns: ['Date', 'Market', 'Side', 'Type', 'Price', 'Quantity', 'Total'],
    isWhole: true,
    why: 'which side of its markets stands first differs from year to year, and its columns are everyday words',
  },
  {
    name: 'Trezor wallet',
    columns: ['Date', 'Time', 'TX id', 'Address', 'TX type', 'Value', 'TX total', 'Balance'],
    why: withoutCoin,
  },
  {
    name: 'a wallet made from Bitcoin Core',
    columns: ['Transaction', 'Block', 'Date/Time', 'Type', 'Amount', 'Total'],
    isWhole: true,
    why: withoutCoin,
  },
  {
    name: 'Blockscout transactions',
    columns: ['TxHash', 'BlockNumber', 'UnixTimestamp', 'FromAddress', 'ToAddress', 'Value', 'TxDateOpeningPrice'],
    why: `${withoutCoin} or shows whether amounts are in its smallest unit`,
  },
  {
    name: 'Blockscout token transfers',
    columns: ['TxHash', 'BlockNumber', 'TokenContractAddress', 'TokenSymbol', 'TokensTransferred', 'TransactionFee'],
    why: 'no column names the coin of the fee or shows whether amounts are in tokens or their smallest unit',
  },
  {
    name: 'Snowtrace token transfers',
    columns: ['chain_id', 'tx_hash', 'block_unix_timestamp', 'from', 'to', 'token_value', 'token_symbol'],
    why: `${ownAddress} or whether amounts are in tokens or their smallest unit`,
  },
  {
    name: 'Subscan payouts of pools',
    columns: ['Event ID', 'Extrinsic ID', 'Pool', 'Value', 'Action', 'Time'],
    why: withoutCoin,
  },
  {
    name: 'Aptoscan token transfers',
    columns: ['Version', 'Block', 'Time', 'Token', 'Token_Version', 'From', 'To', 'Amount'],
    why: 'the name of a collectible is not unique',
  },
  {
    name: 'Wirex statement',
    columns: ['#', 'Time', 'Amount', 'Available'],
    isWhole: true,
    why: 'an exchange shows only one of its two sides',
  },
  {
    name: 'GateHub transactions',
    columns: ['Time', 'TX hash', 'Type', 'Currency Issuer Address', 'Currency Issuer Name', 'Balance'],
    why: 'no column shows whether a payment is a purchase, a gift or a transfer between your own wallets',
  },
];

/** Finds the layout whose columns all appear in one of these rows. */
export function findUnreadLayout(rows: readonly Row[]): UnreadLayout | undefined {
  for (const { cells } of rows) {
    const names = new Set(cells.map(normalizeHeader).filter((name) => name !== ''));
    const layout = unreadLayouts.find(
      ({ columns, isWhole }) =>
        columns.every((column) => names.has(normalizeHeader(column))) &&
        (isWhole !== true || names.size === columns.length),
    );
    if (layout !== undefined) return layout;
  }
  return undefined;
}

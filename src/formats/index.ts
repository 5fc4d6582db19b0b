import { type Detection, detectAmong } from './detect.ts';
import type { Format, Row } from './format.ts';
import * as sources from './sources/all.ts';

/** The ids of all formats, in the order in which they are listed. */
const order = `
  lotbook coinbase kraken-ledgers robinhood-crypto cashapp coinbase-pro-fills coinbase-pro-account coinbase-gain-loss
  coinbase-transfers kraken-trades gemini cryptocom binance-us strike uphold kucoin binance binance-statement bittrex
  bitstamp poloniex nexo blockfi celsius ledger-live trezor shapeshift revolut-crypto bitbank bitvavo pionex bitmex
  bitfinex bitfinex-ledger cexio coinlist gateio okx circle coinbase-transactions adalite blockchain-com
  coinbase-prime cryptsy ftx hitbtc paypal qtrade sfox voyager mexc changelly tradeogre liquid kinesis yoroi exodus
  electrum coinomi bitcoin-core zerion etherscan bybit bitpanda lbank hotbit blofin coinfloor tradesatoshi cryptopia
  whitebit swissborg paxful coincorner gravity subscan blockchair handcash volt aptoscan helium robinhood fidelity
  schwab ibkr-activity vanguard etrade webull merrill chase firstrade tdameritrade tastytrade schwab-realized river
  koinly cointracker coinledger koinly-transactions cointracker-transactions coinledger-transactions bitcoin-tax
  cointracking bittytax rotki dali-rp2 delta blockpit revolut-invest etoro trading212 ibkr-flex degiro m1 schwab-lots
  morgan-stanley schwab-awards schwab-1099 robinhood-1099 etrade-gains form8949-lots turbotax acb-ca swissquote saxo
  finpension rabobank directa ofx sharesight sharesight-income hargreaves-lansdown interactive-investor vanguard-uk
  staketax accointing eternl fidelity-realized form-1099 wealthfolio ghostfolio cgt-calc-raw cgtcalculator uk-101
`;

function isFormat(value: unknown): value is Format {
  return typeof value === 'object' && value !== null && 'layouts' in value;
}

const formatsById = new Map(
  Object.values(sources)
    .filter(isFormat)
    .map((format) => [format.id, format]),
);

/**
 * All supported CSV formats. To add one, add a file to `sources`, name it in `sources/all.ts`, and add its id above. If
 * several formats match, the one that requires the most headers wins. `test/formats/conformance` checks them all.
 */
export const formats: readonly Format[] = order
  .trim()
  .split(/\s+/)
  .flatMap((id) => formatsById.get(id) ?? []);

export function formatById(id: string): Format | undefined {
  return formatsById.get(id);
}

/**
 * Detects the format from the first rows, ignoring the formats in `passed`. With `wanted`, tries only that format, in
 * all its layouts.
 */
export function detect(rows: readonly Row[], formatId?: string, passed: ReadonlySet<string> = new Set()): Detection {
  if (formatId === undefined)
    return detectAmong(passed.size === 0 ? formats : formats.filter(({ id }) => !passed.has(id)), rows);
  return detectAmong(
    formats.filter((format) => format.id === formatId),
    rows,
    'all layouts',
  );
}

import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { detectAmong } from '../../src/formats/detect.ts';
import { detect, formats } from '../../src/formats/index.ts';
import { findUnreadLayout, unreadLayouts } from '../../src/formats/unread-layouts.ts';
import { unknownLayouts } from '../support/proposal-bench.ts';

/**
 * Headers of services listed in a catalog outside this project. Supported formats must be detected by their headers
 * alone.
 */
const shared = process.env.LOTBOOK_SHARED ?? join(import.meta.dir, '../../../shared');
const catalog = join(shared, 'formats/CATALOG-headers.md');

const written: Readonly<Record<string, string>> = {
  'Label Tag': 'Label',
  'id id': 'id',
  'Date / Time Date / Time (UTC)': 'Date / Time (UTC)',
  'TradeType TradeHistoryType': 'TradeType',
};

/**
 * A service in the catalog, with the number of its headers that each format reads. No format matches the other headers.
 * Revolut's coins and TradeOgre are not included, because their headers are everyday words, so only their rows identify
 * them.
 */
const claims: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'BitcoinTaxes Spending/Income': { 'bitcoin-tax': 2 },
  'BitcoinTaxes Trades': { 'bitcoin-tax': 1 },
  Blockpit: { blockpit: 2 },
  CoinTracker: { 'cointracker-transactions': 2 },
  CoinTracking: { cointracking: 1 },
  Koinly: { 'koinly-transactions': 2 },
  StakeTax: { bittytax: 1, staketax: 1 },
  Generic: { bittytax: 1 },
  'Helium Explorer': { cointracker: 1 },
  'Binance Deposits': { binance: 1 },
  'Binance Deposits/Withdrawals': { binance: 4 },
  'Binance Withdrawals': { binance: 1 },
  'Binance Trades': { binance: 4 },
  'Binance Statements': { 'binance-statement': 2 },
  'Binance.US': { 'binance-us': 2 },
  Bitstamp: { bitstamp: 2 },
  'Bittrex Deposits': { bittrex: 4 },
  'Bittrex Deposits/Withdrawals': { bittrex: 1 },
  'Bittrex Trades': { bittrex: 5 },
  'Bittrex Withdrawals': { bittrex: 3 },
  'Cash App': { cashapp: 2 },
  Coinbase: { coinbase: 5 },
  'Coinbase Pro Account': { 'coinbase-pro-account': 2 },
  'Coinbase Pro Fills': { 'coinbase-pro-fills': 2 },
  'Crypto.com': { cryptocom: 2 },
  Gemini: { gemini: 1 },
  'Kraken Ledgers': { 'kraken-ledgers': 7 },
  'Kraken Trades': { 'kraken-trades': 2 },
  'KuCoin Account History': { kucoin: 2 },
  'KuCoin Deposits': { kucoin: 4 },
  'KuCoin Deposits/Withdrawals': { kucoin: 1 },
  'KuCoin Withdrawals': { kucoin: 5 },
  'KuCoin Staking': { kucoin: 1 },
  'KuCoin Trades': { kucoin: 13 },
  'Poloniex Trades': { poloniex: 2 },
  'Poloniex Withdrawals': { poloniex: 1 },
  'Robinhood Trades': { 'robinhood-crypto': 1 },
  'Robinhood Deposits/Withdrawals': { 'robinhood-crypto': 1 },
  Uphold: { uphold: 2 },
  Voyager: { 'coinledger-transactions': 1, voyager: 1 },
  BlockFi: { blockfi: 2 },
  'BlockFi Trades': { blockfi: 2 },
  Celsius: { celsius: 2 },
  Nexo: { nexo: 6 },
  'Ledger Live': { 'ledger-live': 4 },
  'Trezor Suite': { trezor: 2 },
  Changelly: { changelly: 1 },
  Kinesis: { kinesis: 1 },
  'Liquid Trades': { liquid: 1 },
  'MEXC Deposits': { mexc: 2 },
  'MEXC Trades': { mexc: 4 },
  'MEXC Withdrawals': { mexc: 2 },
  'TradeOgre Withdrawals': { tradeogre: 1 },
  'Etherscan (Internal Transactions)': { etherscan: 2 },
  'Etherscan (NFT Transfers ERC-721 & ERC-1155)': { etherscan: 3 },
  'Etherscan (Token Transfers ERC-20)': { etherscan: 2 },
  'Etherscan (Transactions)': { etherscan: 4 },
  'Snowtrace (Transactions)': { etherscan: 2 },
  'Coinbase Transfers': { 'coinbase-transfers': 1 },
  Accointing: { accointing: 3 },
  'Bitfinex Deposits/Withdrawals': { bitfinex: 3 },
  'Bitfinex Trades': { bitfinex: 2 },
  'Blockchain.com Exchange': { 'blockchain-com': 1 },
  'Blockchain.com': { 'blockchain-com': 4 },
  'CEX.IO': { cexio: 1 },
  'CoinList Pro': { coinlist: 1 },
  'OKX Funding': { okx: 2 },
  'OKX Trades': { okx: 1 },
  'Gate.io': { gateio: 1 },
  'Bitfinex Ledger': { 'bitfinex-ledger': 2 },
  Circle: { circle: 1 },
  'Coinbase Transactions': { 'coinbase-transactions': 1 },
  AdaLite: { adalite: 2 },
  'Coinbase Prime Orders': { 'coinbase-prime': 1 },
  'Coinbase Prime Transactions': { 'coinbase-prime': 1 },
  Coinomi: { coinomi: 1 },
  Cryptsy: { cryptsy: 1 },
  Electrum: { electrum: 3 },
  Eternl: { eternl: 1 },
  Exodus: { exodus: 4 },
  'FTX Deposits': { ftx: 4 },
  'FTX Lending': { ftx: 3 },
  'FTX Staking': { ftx: 1 },
  'FTX Trades': { ftx: 3 },
  'FTX Withdrawals': { ftx: 3 },
  'HitBTC Deposits/Withdrawals': { hitbtc: 1 },
  'HitBTC Trades': { hitbtc: 4 },
  PayPal: { paypal: 1 },
  'qTrade Trades': { qtrade: 1 },
  sFOX: { sfox: 2 },
  'Zerion (ETH Transactions)': { zerion: 1 },
  'Qt Wallet (i.e. Bitcoin Core, etc)': { 'bitcoin-core': 2 },
  Yoroi: { yoroi: 2 },
  Helium: { helium: 1 },
  Bybit: { bybit: 1 },
  'Aptoscan (Coin Transfers)': { aptoscan: 1 },
  'Aptoscan (Transactions)': { aptoscan: 1 },
  'Subscan Transfers': { subscan: 2 },
  Blockchair: { blockchair: 2 },
  HandCash: { handcash: 2 },
  CGTCalculator: { cgtcalculator: 2 },
  'Interactive Investor': { 'interactive-investor': 1 },
  SwissBorg: { swissborg: 1 },
  Paxful: { paxful: 1 },
  CoinCorner: { coincorner: 1 },
  'Gravity (Bitstocks)': { gravity: 2 },
  'LBank Deposits': { lbank: 1 },
  'LBank Trades': { lbank: 1 },
  'Hotbit Trades': { hotbit: 1 },
  'BloFin Deposits': { blofin: 1 },
  'BloFin Margin Trades': { blofin: 1 },
  'BloFin Spot Trades': { blofin: 2 },
  'BloFin Withdrawals': { blofin: 1 },
  'Coinfloor Trades': { coinfloor: 2 },
  'TradeSatoshi Deposits': { tradesatoshi: 2 },
  'TradeSatoshi Trades': { tradesatoshi: 1 },
  'TradeSatoshi Withdrawals': { tradesatoshi: 2 },
  'Cryptopia Deposits': { cryptopia: 1 },
  'Cryptopia Trades': { cryptopia: 1 },
  'Cryptopia Withdrawals': { cryptopia: 1 },
  'WhiteBIT Trades': { whitebit: 1 },
  'WhiteBIT Withdrawals': { whitebit: 1 },
  'Bybit Deposits/Withdrawals': { bybit: 2 },
};

if (!existsSync(catalog)) {
  console.log(`The catalog of headers is not at ${catalog}: it is not tested here.`);
} else {
  const headers = headersIn(readFileSync(catalog, 'utf8'));

  for (const [service, read] of Object.entries(claims)) {
    test(`${service}: its headers match ${Object.keys(read).join(' and ')}, and no format matches the others`, () => {
      const found = headers.filter((header) => header.service === service).map(({ cells }) => formatOf(cells));
      const ours = Object.entries(read).flatMap(([format, count]) => Array<string>(count).fill(format));
      const others = Array<string>(found.length - ours.length).fill('none');
      expect(found.toSorted()).toEqual([...ours, ...others].toSorted());
    });
  }

  test('no header of an unsupported service matches a supported format', () => {
    const taken = headers
      .filter(({ service }) => !(service in claims))
      .map(({ service, cells }) => ({ service, format: formatOf(cells) }))
      .filter(({ format }) => format !== 'none');
    expect(taken).toEqual([]);
  });

  test('each header of a service with several is read, by a named format if necessary, or listed with the reason why not', () => {
    const several = headers.filter(
      ({ module, cells }) => headers.filter((other) => other.module === module).length > 1 && !isUnnamed(cells),
    );
    const left = several.filter(
      ({ cells }) => !isReadByName(cells) && findUnreadLayout([{ line: 1, cells }]) === undefined,
    );
    expect(several.length).toBeGreaterThan(200);
    expect(left.map(({ service, cells }) => ({ service, cells }))).toEqual([]);
  });

  test('each service without a format has a layout in the benchmark of proposals', () => {
    const modules = Map.groupBy(headers, ({ module }) => module);
    const missing = [...modules].filter(
      ([, own]) => !own.some(({ cells }) => isUnnamed(cells) || isReadByName(cells) || isInBench(cells)),
    );
    expect(missing.map(([module]) => module)).toEqual([]);
  });

  test('each reason belongs to a header in the catalog that no format reads, even if the request names it', () => {
    const reasons = headers
      .filter(({ cells }) => !isReadByName(cells))
      .map(({ cells }) => findUnreadLayout([{ line: 1, cells }]));
    expect(unreadLayouts.filter((layout) => !reasons.includes(layout))).toEqual([]);
  });
}

function isReadByName(cells: readonly string[]): boolean {
  const detection = detectAmong(formats, [{ line: 1, cells }], 'all layouts');
  return 'format' in detection || detection.rivals.length > 0;
}

const benchHeaders = unknownLayouts().map(({ text }) => new Set((text.split('\n')[0] ?? '').split(/[,;]/)));

/**
 * Returns true if a layout in the benchmark has most of these columns. The benchmark leaves out meaningless columns.
 */
function isInBench(cells: readonly string[]): boolean {
  return benchHeaders.some((names) => cells.filter((cell) => names.has(cell)).length * 2 >= cells.length);
}

/** Returns true for Bitpanda, whose column names the catalog does not list. */
function isUnnamed(cells: readonly string[]): boolean {
  return cells.length === 1 && /^list\(HEADER/.test(cells[0] ?? '');
}

function formatOf(cells: readonly string[]): string {
  const detection = detect([{ line: 1, cells }]);
  if ('format' in detection) return detection.format.id;
  return detection.rivals.length === 0 ? 'none' : detection.rivals.map(({ format }) => format.id).join(' or ');
}

interface Header {
  readonly service: string;
  /** The sources in the catalog: one per service, for all names of its files. */
  readonly module: string;
  readonly cells: readonly string[];
}

function headersIn(text: string): Header[] {
  return text.split('\n').flatMap((line) => {
    const match = /^- \*\*(.+?)\*\* \((\w+\.py)\).*?`(.*)`\s*$/.exec(line);
    if (match === null) return [];
    const [, service = '', module = '', names = ''] = match;
    return [{ service, module, cells: names.split(' | ').map(exampleOf) }];
  });
}

/** Returns a name that matches a pattern. The catalog lists variable names as patterns (`~/^(\w{3}) Subtotal/`). */
function exampleOf(name: string): string {
  const pattern = /^~\/(.*)\/$/.exec(name)?.[1];
  if (pattern === undefined) return name;
  const plain = written[pattern];
  if (plain !== undefined) return plain;
  return pattern
    .replaceAll('\\\\', '\\')
    .replace(/UTC(?:\|UTCnull)?\|UTC\[-\+\]\\d\{[\d,]+\}(?::\\d\{2\})?/, 'UTC')
    .replaceAll('(\\w{3})', 'USD')
    .replaceAll('(\\w+)', 'ETH')
    .replaceAll('\\xa0', '\u00a0')
    .replaceAll('\\(', '\u0001')
    .replaceAll('\\)', '\u0002')
    .replace(/[\^$()?]|\|Time$/g, '')
    .replaceAll('\u0001', '(')
    .replaceAll('\u0002', ')');
}

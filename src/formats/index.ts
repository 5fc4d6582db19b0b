import { type Detection, detectAmong } from './detect.ts';
import type { Format, Row } from './format.ts';
import { acb } from './sources/acb.ts';
import { accointing } from './sources/accointing.ts';
import { adaLite } from './sources/adalite.ts';
import { binance } from './sources/binance.ts';
import { binanceStatement } from './sources/binance-statement.ts';
import { binanceUs } from './sources/binance-us.ts';
import { bitbank } from './sources/bitbank.ts';
import { bitcoinCore } from './sources/bitcoin-core.ts';
import { bitcoinTax } from './sources/bitcoin-tax.ts';
import { bitfinex } from './sources/bitfinex.ts';
import { bitfinexLedger } from './sources/bitfinex-ledger.ts';
import { bitmex } from './sources/bitmex.ts';
import { bitstamp } from './sources/bitstamp.ts';
import { bittrex } from './sources/bittrex.ts';
import { bittyTax } from './sources/bittytax.ts';
import { bitvavo } from './sources/bitvavo.ts';
import { blockchainCom } from './sources/blockchain-com.ts';
import { blockFi } from './sources/blockfi.ts';
import { blockpit } from './sources/blockpit.ts';
import { cashApp } from './sources/cashapp.ts';
import { celsius } from './sources/celsius.ts';
import { cexIo } from './sources/cexio.ts';
import { changelly } from './sources/changelly.ts';
import { chase } from './sources/chase.ts';
import { circle } from './sources/circle.ts';
import { coinbase } from './sources/coinbase.ts';
import { coinbaseGainLoss } from './sources/coinbase-gain-loss.ts';
import { coinbasePrime } from './sources/coinbase-prime.ts';
import { coinbaseProAccount, coinbaseProFills } from './sources/coinbase-pro.ts';
import { coinbaseTransactions } from './sources/coinbase-transactions.ts';
import { coinbaseTransfers } from './sources/coinbase-transfers.ts';
import { coinLedgerTransactions } from './sources/coinledger-transactions.ts';
import { coinList } from './sources/coinlist.ts';
import { coinomi } from './sources/coinomi.ts';
import { coinTrackerTransactions } from './sources/cointracker-transactions.ts';
import { coinTracking } from './sources/cointracking.ts';
import { cryptoCom } from './sources/cryptocom.ts';
import { cryptsy } from './sources/cryptsy.ts';
import { dali } from './sources/dali.ts';
import { degiro } from './sources/degiro.ts';
import { delta } from './sources/delta.ts';
import { directa } from './sources/directa.ts';
import { electrum } from './sources/electrum.ts';
import { etherscan } from './sources/etherscan.ts';
import { etoro } from './sources/etoro.ts';
import { etrade } from './sources/etrade.ts';
import { etradeGains } from './sources/etrade-gains.ts';
import { exodus } from './sources/exodus.ts';
import { fidelity } from './sources/fidelity.ts';
import { fidelityRealized } from './sources/fidelity-realized.ts';
import { finpension } from './sources/finpension.ts';
import { firstrade } from './sources/firstrade.ts';
import { form1099 } from './sources/form-1099.ts';
import { form8949Lots } from './sources/form8949-lots.ts';
import { ftx } from './sources/ftx.ts';
import { gateIo } from './sources/gateio.ts';
import { gemini } from './sources/gemini.ts';
import { cgtCalcRaw, uk101 } from './sources/generic-tables.ts';
import { ghostfolio } from './sources/ghostfolio.ts';
import { hargreavesLansdown } from './sources/hargreaves.ts';
import { hitBtc } from './sources/hitbtc.ts';
import { ibkrActivity } from './sources/ibkr.ts';
import { ibkrFlex } from './sources/ibkr-flex.ts';
import { kinesis } from './sources/kinesis.ts';
import { koinlyTransactions } from './sources/koinly-transactions.ts';
import { krakenLedgers } from './sources/kraken.ts';
import { krakenTrades } from './sources/kraken-trades.ts';
import { kucoin } from './sources/kucoin.ts';
import { ledgerLive } from './sources/ledger-live.ts';
import { liquid } from './sources/liquid.ts';
import { lotbook } from './sources/lotbook.ts';
import { m1 } from './sources/m1.ts';
import { merrill } from './sources/merrill.ts';
import { mexc } from './sources/mexc.ts';
import { morganStanley } from './sources/morgan-stanley.ts';
import { nexo } from './sources/nexo.ts';
import { okx } from './sources/okx.ts';
import { payPal } from './sources/paypal.ts';
import { pionex } from './sources/pionex.ts';
import { poloniex } from './sources/poloniex.ts';
import { qTrade } from './sources/qtrade.ts';
import { rabobank } from './sources/rabobank.ts';
import { revolutCrypto } from './sources/revolut-crypto.ts';
import { revolutInvest } from './sources/revolut-invest.ts';
import { robinhood } from './sources/robinhood.ts';
import { robinhood1099 } from './sources/robinhood-1099.ts';
import { robinhoodCrypto } from './sources/robinhood-crypto.ts';
import { rotki } from './sources/rotki.ts';
import { saxo } from './sources/saxo.ts';
import { schwab } from './sources/schwab.ts';
import { schwab1099 } from './sources/schwab-1099.ts';
import { schwabAwards } from './sources/schwab-awards.ts';
import { schwabLots } from './sources/schwab-lots.ts';
import { schwabRealized } from './sources/schwab-realized.ts';
import { sFox } from './sources/sfox.ts';
import { shapeShift } from './sources/shapeshift.ts';
import { sharesight } from './sources/sharesight.ts';
import { sharesightIncome } from './sources/sharesight-income.ts';
import { stakeTax } from './sources/staketax.ts';
import { strike } from './sources/strike.ts';
import { swissquote } from './sources/swissquote.ts';
import { tastytrade } from './sources/tastytrade.ts';
import { tdAmeritrade } from './sources/tdameritrade.ts';
import { tradeOgre } from './sources/tradeogre.ts';
import { trading212 } from './sources/trading212.ts';
import { trezor } from './sources/trezor.ts';
import { turboTax } from './sources/turbotax.ts';
import { coinLedger, coinTracker, eternl, koinly, river } from './sources/universal-legs.ts';
import { uphold } from './sources/uphold.ts';
import { vanguard } from './sources/vanguard.ts';
import { vanguardUk } from './sources/vanguard-uk.ts';
import { voyager } from './sources/voyager.ts';
import { wealthfolio } from './sources/wealthfolio.ts';
import { webull } from './sources/webull.ts';
import { yoroi } from './sources/yoroi.ts';
import { zerion } from './sources/zerion.ts';

/** Every CSV format that is read. A new one is a file and a line here, at any place: of several that fit, the one that requires most headers wins. `test/formats/conformance` checks them all. */
export const formats: readonly Format[] = [
  lotbook,
  coinbase,
  krakenLedgers,
  robinhood,
  fidelity,
  schwab,
  ibkrActivity,
  vanguard,
  etrade,
  robinhoodCrypto,
  cashApp,
  webull,
  merrill,
  chase,
  firstrade,
  tdAmeritrade,
  tastytrade,
  coinbaseProFills,
  coinbaseProAccount,
  coinbaseGainLoss,
  coinbaseTransfers,
  schwabRealized,
  krakenTrades,
  gemini,
  cryptoCom,
  binanceUs,
  strike,
  river,
  koinly,
  coinTracker,
  coinLedger,
  koinlyTransactions,
  coinTrackerTransactions,
  coinLedgerTransactions,
  uphold,
  kucoin,
  binance,
  binanceStatement,
  bittrex,
  bitstamp,
  poloniex,
  nexo,
  blockFi,
  celsius,
  ledgerLive,
  trezor,
  shapeShift,
  bitcoinTax,
  coinTracking,
  bittyTax,
  rotki,
  dali,
  delta,
  blockpit,
  revolutCrypto,
  revolutInvest,
  etoro,
  trading212,
  ibkrFlex,
  degiro,
  m1,
  schwabLots,
  morganStanley,
  schwabAwards,
  schwab1099,
  robinhood1099,
  etradeGains,
  form8949Lots,
  turboTax,
  bitbank,
  bitvavo,
  pionex,
  bitmex,
  acb,
  swissquote,
  saxo,
  finpension,
  rabobank,
  directa,
  sharesight,
  sharesightIncome,
  hargreavesLansdown,
  vanguardUk,
  bitfinex,
  bitfinexLedger,
  cexIo,
  coinList,
  gateIo,
  okx,
  stakeTax,
  circle,
  coinbaseTransactions,
  adaLite,
  blockchainCom,
  coinbasePrime,
  cryptsy,
  ftx,
  hitBtc,
  payPal,
  qTrade,
  sFox,
  voyager,
  mexc,
  changelly,
  tradeOgre,
  liquid,
  kinesis,
  accointing,
  eternl,
  yoroi,
  exodus,
  electrum,
  coinomi,
  bitcoinCore,
  zerion,
  etherscan,
  fidelityRealized,
  form1099,
  wealthfolio,
  ghostfolio,
  cgtCalcRaw,
  uk101,
];

export function formatById(id: string): Format | undefined {
  return formats.find((format) => format.id === id);
}

/**
 * Detects the format of the first rows, without those that were `passed` over. With `wanted`, only that format is tried,
 * with all its layouts.
 */
export function detect(rows: readonly Row[], wanted?: string, passed: ReadonlySet<string> = new Set()): Detection {
  if (wanted === undefined)
    return detectAmong(passed.size === 0 ? formats : formats.filter(({ id }) => !passed.has(id)), rows);
  return detectAmong(
    formats.filter((format) => format.id === wanted),
    rows,
    'all layouts',
  );
}

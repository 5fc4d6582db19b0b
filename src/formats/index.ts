import { acb } from './acb.ts';
import { accointing } from './accointing.ts';
import { adaLite } from './adalite.ts';
import { binance } from './binance.ts';
import { binanceStatement } from './binance-statement.ts';
import { binanceUs } from './binance-us.ts';
import { bitbank } from './bitbank.ts';
import { bitcoinCore } from './bitcoin-core.ts';
import { bitcoinTax } from './bitcoin-tax.ts';
import { bitfinex } from './bitfinex.ts';
import { bitfinexLedger } from './bitfinex-ledger.ts';
import { bitmex } from './bitmex.ts';
import { bitstamp } from './bitstamp.ts';
import { bittrex } from './bittrex.ts';
import { bittyTax } from './bittytax.ts';
import { bitvavo } from './bitvavo.ts';
import { blockchainCom } from './blockchain-com.ts';
import { blockFi } from './blockfi.ts';
import { blockpit } from './blockpit.ts';
import { cashApp } from './cashapp.ts';
import { celsius } from './celsius.ts';
import { cexIo } from './cexio.ts';
import { changelly } from './changelly.ts';
import { chase } from './chase.ts';
import { circle } from './circle.ts';
import { coinbase } from './coinbase.ts';
import { coinbaseGainLoss } from './coinbase-gain-loss.ts';
import { coinbasePrime } from './coinbase-prime.ts';
import { coinbaseProAccount, coinbaseProFills } from './coinbase-pro.ts';
import { coinbaseTransactions } from './coinbase-transactions.ts';
import { coinbaseTransfers } from './coinbase-transfers.ts';
import { coinLedgerTransactions } from './coinledger-transactions.ts';
import { coinList } from './coinlist.ts';
import { coinomi } from './coinomi.ts';
import { coinTrackerTransactions } from './cointracker-transactions.ts';
import { coinTracking } from './cointracking.ts';
import { cryptoCom } from './cryptocom.ts';
import { cryptsy } from './cryptsy.ts';
import { dali } from './dali.ts';
import { degiro } from './degiro.ts';
import { delta } from './delta.ts';
import { type Detection, detectAmong } from './detect.ts';
import { directa } from './directa.ts';
import { electrum } from './electrum.ts';
import { etherscan } from './etherscan.ts';
import { etoro } from './etoro.ts';
import { etrade } from './etrade.ts';
import { etradeGains } from './etrade-gains.ts';
import { exodus } from './exodus.ts';
import { fidelity } from './fidelity.ts';
import { fidelityRealized } from './fidelity-realized.ts';
import { finpension } from './finpension.ts';
import { firstrade } from './firstrade.ts';
import { form1099 } from './form-1099.ts';
import { form8949Lots } from './form8949-lots.ts';
import type { Format, Row } from './format.ts';
import { ftx } from './ftx.ts';
import { gateIo } from './gateio.ts';
import { gemini } from './gemini.ts';
import { cgtCalcRaw, uk101 } from './generic-tables.ts';
import { ghostfolio } from './ghostfolio.ts';
import { hargreavesLansdown } from './hargreaves.ts';
import { hitBtc } from './hitbtc.ts';
import { ibkrActivity } from './ibkr.ts';
import { ibkrFlex } from './ibkr-flex.ts';
import { kinesis } from './kinesis.ts';
import { koinlyTransactions } from './koinly-transactions.ts';
import { krakenLedgers } from './kraken.ts';
import { krakenTrades } from './kraken-trades.ts';
import { kucoin } from './kucoin.ts';
import { ledgerLive } from './ledger-live.ts';
import { liquid } from './liquid.ts';
import { lotbook } from './lotbook.ts';
import { m1 } from './m1.ts';
import { merrill } from './merrill.ts';
import { mexc } from './mexc.ts';
import { morganStanley } from './morgan-stanley.ts';
import { nexo } from './nexo.ts';
import { okx } from './okx.ts';
import { payPal } from './paypal.ts';
import { pionex } from './pionex.ts';
import { poloniex } from './poloniex.ts';
import { qTrade } from './qtrade.ts';
import { rabobank } from './rabobank.ts';
import { revolutCrypto } from './revolut-crypto.ts';
import { revolutInvest } from './revolut-invest.ts';
import { robinhood } from './robinhood.ts';
import { robinhood1099 } from './robinhood-1099.ts';
import { robinhoodCrypto } from './robinhood-crypto.ts';
import { rotki } from './rotki.ts';
import { saxo } from './saxo.ts';
import { schwab } from './schwab.ts';
import { schwab1099 } from './schwab-1099.ts';
import { schwabAwards } from './schwab-awards.ts';
import { schwabLots } from './schwab-lots.ts';
import { schwabRealized } from './schwab-realized.ts';
import { sFox } from './sfox.ts';
import { shapeShift } from './shapeshift.ts';
import { sharesight } from './sharesight.ts';
import { sharesightIncome } from './sharesight-income.ts';
import { stakeTax } from './staketax.ts';
import { strike } from './strike.ts';
import { swissquote } from './swissquote.ts';
import { tastytrade } from './tastytrade.ts';
import { tdAmeritrade } from './tdameritrade.ts';
import { tradeOgre } from './tradeogre.ts';
import { trading212 } from './trading212.ts';
import { trezor } from './trezor.ts';
import { turboTax } from './turbotax.ts';
import { coinLedger, coinTracker, eternl, koinly, river } from './universal-legs.ts';
import { uphold } from './uphold.ts';
import { vanguard } from './vanguard.ts';
import { vanguardUk } from './vanguard-uk.ts';
import { voyager } from './voyager.ts';
import { wealthfolio } from './wealthfolio.ts';
import { webull } from './webull.ts';
import { yoroi } from './yoroi.ts';
import { zerion } from './zerion.ts';

/** Every CSV layout we read. A new one is a file and a line here; test/formats/conformance holds them all to one standard. */
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

/** The format of the first rows; with `wanted`, only that one is tried, with all its layouts. */
export function detect(rows: readonly Row[], wanted?: string): Detection {
  if (wanted === undefined) return detectAmong(formats, rows);
  return detectAmong(
    formats.filter((format) => format.id === wanted),
    rows,
    'all layouts',
  );
}

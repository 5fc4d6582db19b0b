import type { Format } from './format.ts';
import { adaLite } from './sources/adalite.ts';
import { aptoscan } from './sources/aptoscan.ts';
import { binance } from './sources/binance.ts';
import { binanceStatement } from './sources/binance-statement.ts';
import { binanceUs } from './sources/binance-us.ts';
import { bitbank } from './sources/bitbank.ts';
import { bitcoinCore } from './sources/bitcoin-core.ts';
import { bitfinex } from './sources/bitfinex.ts';
import { bitfinexLedger } from './sources/bitfinex-ledger.ts';
import { bitmex } from './sources/bitmex.ts';
import { bitpanda } from './sources/bitpanda.ts';
import { bitstamp } from './sources/bitstamp.ts';
import { bittrex } from './sources/bittrex.ts';
import { bitvavo } from './sources/bitvavo.ts';
import { blockchainCom } from './sources/blockchain-com.ts';
import { blockchair } from './sources/blockchair.ts';
import { blockFi } from './sources/blockfi.ts';
import { bloFin } from './sources/blofin.ts';
import { bybit } from './sources/bybit.ts';
import { cashApp } from './sources/cashapp.ts';
import { celsius } from './sources/celsius.ts';
import { cexIo } from './sources/cexio.ts';
import { changelly } from './sources/changelly.ts';
import { circle } from './sources/circle.ts';
import { coinbase } from './sources/coinbase.ts';
import { coinbaseGainLoss } from './sources/coinbase-gain-loss.ts';
import { coinbasePrime } from './sources/coinbase-prime.ts';
import { coinbaseProAccount, coinbaseProFills } from './sources/coinbase-pro.ts';
import { coinbaseTransactions } from './sources/coinbase-transactions.ts';
import { coinbaseTransfers } from './sources/coinbase-transfers.ts';
import { coinCorner } from './sources/coincorner.ts';
import { coinfloor } from './sources/coinfloor.ts';
import { coinList } from './sources/coinlist.ts';
import { coinomi } from './sources/coinomi.ts';
import { cryptoCom } from './sources/cryptocom.ts';
import { cryptopia } from './sources/cryptopia.ts';
import { cryptsy } from './sources/cryptsy.ts';
import { electrum } from './sources/electrum.ts';
import { etherscan } from './sources/etherscan.ts';
import { exodus } from './sources/exodus.ts';
import { ftx } from './sources/ftx.ts';
import { gateIo } from './sources/gateio.ts';
import { gemini } from './sources/gemini.ts';
import { gravity } from './sources/gravity.ts';
import { handCash } from './sources/handcash.ts';
import { helium } from './sources/helium.ts';
import { hitBtc } from './sources/hitbtc.ts';
import { hotbit } from './sources/hotbit.ts';
import { kinesis } from './sources/kinesis.ts';
import { krakenLedgers } from './sources/kraken.ts';
import { krakenTrades } from './sources/kraken-trades.ts';
import { kucoin } from './sources/kucoin.ts';
import { lBank } from './sources/lbank.ts';
import { ledgerLive } from './sources/ledger-live.ts';
import { liquid } from './sources/liquid.ts';
import { mexc } from './sources/mexc.ts';
import { nexo } from './sources/nexo.ts';
import { okx } from './sources/okx.ts';
import { paxful } from './sources/paxful.ts';
import { payPal } from './sources/paypal.ts';
import { pionex } from './sources/pionex.ts';
import { poloniex } from './sources/poloniex.ts';
import { qTrade } from './sources/qtrade.ts';
import { revolutCrypto } from './sources/revolut-crypto.ts';
import { robinhoodCrypto } from './sources/robinhood-crypto.ts';
import { sFox } from './sources/sfox.ts';
import { shapeShift } from './sources/shapeshift.ts';
import { strike } from './sources/strike.ts';
import { subscan } from './sources/subscan.ts';
import { swissBorg } from './sources/swissborg.ts';
import { tradeOgre } from './sources/tradeogre.ts';
import { tradeSatoshi } from './sources/tradesatoshi.ts';
import { trezor } from './sources/trezor.ts';
import { uphold } from './sources/uphold.ts';
import { volt } from './sources/volt.ts';
import { voyager } from './sources/voyager.ts';
import { whiteBit } from './sources/whitebit.ts';
import { yoroi } from './sources/yoroi.ts';
import { zerion } from './sources/zerion.ts';

/** Formats of crypto exchanges, wallets and block explorers, in any order. */
export const coinFormats: readonly Format[] = [
  coinbase,
  krakenLedgers,
  robinhoodCrypto,
  cashApp,
  coinbaseProFills,
  coinbaseProAccount,
  coinbaseGainLoss,
  coinbaseTransfers,
  krakenTrades,
  gemini,
  cryptoCom,
  binanceUs,
  strike,
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
  revolutCrypto,
  bitbank,
  bitvavo,
  pionex,
  bitmex,
  bitfinex,
  bitfinexLedger,
  cexIo,
  coinList,
  gateIo,
  okx,
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
  yoroi,
  exodus,
  electrum,
  coinomi,
  bitcoinCore,
  zerion,
  etherscan,
  bybit,
  bitpanda,
  lBank,
  hotbit,
  bloFin,
  coinfloor,
  tradeSatoshi,
  cryptopia,
  whiteBit,
  swissBorg,
  paxful,
  coinCorner,
  gravity,
  subscan,
  blockchair,
  handCash,
  volt,
  aptoscan,
  helium,
];

import { binanceUs } from './binance-us.ts';
import { cashApp } from './cashapp.ts';
import { coinbase } from './coinbase.ts';
import { coinbaseGainLoss } from './coinbase-gain-loss.ts';
import { coinbaseProAccount, coinbaseProFills } from './coinbase-pro.ts';
import { cryptoCom } from './cryptocom.ts';
import { type Detection, detectAmong } from './detect.ts';
import { etrade } from './etrade.ts';
import { fidelity } from './fidelity.ts';
import type { Format, Row } from './format.ts';
import { gemini } from './gemini.ts';
import { ibkrActivity } from './ibkr.ts';
import { krakenLedgers } from './kraken.ts';
import { krakenTrades } from './kraken-trades.ts';
import { lotbook } from './lotbook.ts';
import { merrill } from './merrill.ts';
import { robinhood } from './robinhood.ts';
import { robinhoodCrypto } from './robinhood-crypto.ts';
import { schwab } from './schwab.ts';
import { schwabRealized } from './schwab-realized.ts';
import { strike } from './strike.ts';
import { tastytrade } from './tastytrade.ts';
import { tdAmeritrade } from './tdameritrade.ts';
import { coinLedger, coinTracker, koinly, river } from './universal-legs.ts';
import { vanguard } from './vanguard.ts';
import { webull } from './webull.ts';

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
  tdAmeritrade,
  tastytrade,
  coinbaseProFills,
  coinbaseProAccount,
  coinbaseGainLoss,
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
];

export function formatById(id: string): Format | undefined {
  return formats.find((format) => format.id === id);
}

/** The format of the first rows; with `wanted`, only that one is tried. */
export function detect(rows: readonly Row[], wanted?: string): Detection {
  return detectAmong(wanted === undefined ? formats : formats.filter((format) => format.id === wanted), rows);
}

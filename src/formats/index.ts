import { coinFormats } from './coin-formats.ts';
import { type Detection, detectAmong } from './detect.ts';
import type { Format, Row } from './format.ts';
import { acb } from './sources/acb.ts';
import { accointing } from './sources/accointing.ts';
import { bitcoinTax } from './sources/bitcoin-tax.ts';
import { bittyTax } from './sources/bittytax.ts';
import { blockpit } from './sources/blockpit.ts';
import { cgtCalculator } from './sources/cgtcalculator.ts';
import { chase } from './sources/chase.ts';
import { coinLedgerTransactions } from './sources/coinledger-transactions.ts';
import { coinTrackerTransactions } from './sources/cointracker-transactions.ts';
import { coinTracking } from './sources/cointracking.ts';
import { dali } from './sources/dali.ts';
import { degiro } from './sources/degiro.ts';
import { delta } from './sources/delta.ts';
import { directa } from './sources/directa.ts';
import { etoro } from './sources/etoro.ts';
import { etrade } from './sources/etrade.ts';
import { etradeGains } from './sources/etrade-gains.ts';
import { fidelity } from './sources/fidelity.ts';
import { fidelityRealized } from './sources/fidelity-realized.ts';
import { finpension } from './sources/finpension.ts';
import { firstrade } from './sources/firstrade.ts';
import { form1099 } from './sources/form-1099.ts';
import { form8949Lots } from './sources/form8949-lots.ts';
import { cgtCalcRaw, uk101 } from './sources/generic-tables.ts';
import { ghostfolio } from './sources/ghostfolio.ts';
import { hargreavesLansdown } from './sources/hargreaves.ts';
import { ibkrActivity } from './sources/ibkr.ts';
import { ibkrFlex } from './sources/ibkr-flex.ts';
import { interactiveInvestor } from './sources/interactive-investor.ts';
import { koinlyTransactions } from './sources/koinly-transactions.ts';
import { lotbook } from './sources/lotbook.ts';
import { m1 } from './sources/m1.ts';
import { merrill } from './sources/merrill.ts';
import { morganStanley } from './sources/morgan-stanley.ts';
import { rabobank } from './sources/rabobank.ts';
import { revolutInvest } from './sources/revolut-invest.ts';
import { robinhood } from './sources/robinhood.ts';
import { robinhood1099 } from './sources/robinhood-1099.ts';
import { rotki } from './sources/rotki.ts';
import { saxo } from './sources/saxo.ts';
import { schwab } from './sources/schwab.ts';
import { schwab1099 } from './sources/schwab-1099.ts';
import { schwabAwards } from './sources/schwab-awards.ts';
import { schwabLots } from './sources/schwab-lots.ts';
import { schwabRealized } from './sources/schwab-realized.ts';
import { sharesight } from './sources/sharesight.ts';
import { sharesightIncome } from './sources/sharesight-income.ts';
import { stakeTax } from './sources/staketax.ts';
import { swissquote } from './sources/swissquote.ts';
import { tastytrade } from './sources/tastytrade.ts';
import { tdAmeritrade } from './sources/tdameritrade.ts';
import { trading212 } from './sources/trading212.ts';
import { turboTax } from './sources/turbotax.ts';
import { coinLedger, coinTracker, eternl, koinly, river } from './sources/universal-legs.ts';
import { vanguard } from './sources/vanguard.ts';
import { vanguardUk } from './sources/vanguard-uk.ts';
import { wealthfolio } from './sources/wealthfolio.ts';
import { webull } from './sources/webull.ts';

/**
 * All supported CSV formats, in any order. To add one, add a file and list it here or in `coin-formats.ts`. If several
 * formats match, the one that requires the most headers wins. `test/formats/conformance` checks them all.
 */
export const formats: readonly Format[] = [
  lotbook,
  ...coinFormats,
  robinhood,
  fidelity,
  schwab,
  ibkrActivity,
  vanguard,
  etrade,
  webull,
  merrill,
  chase,
  firstrade,
  tdAmeritrade,
  tastytrade,
  schwabRealized,
  river,
  koinly,
  coinTracker,
  coinLedger,
  koinlyTransactions,
  coinTrackerTransactions,
  coinLedgerTransactions,
  bitcoinTax,
  coinTracking,
  bittyTax,
  rotki,
  dali,
  delta,
  blockpit,
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
  acb,
  swissquote,
  saxo,
  finpension,
  rabobank,
  directa,
  sharesight,
  sharesightIncome,
  hargreavesLansdown,
  interactiveInvestor,
  vanguardUk,
  stakeTax,
  accointing,
  eternl,
  fidelityRealized,
  form1099,
  wealthfolio,
  ghostfolio,
  cgtCalcRaw,
  cgtCalculator,
  uk101,
];

export function formatById(id: string): Format | undefined {
  return formats.find((format) => format.id === id);
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

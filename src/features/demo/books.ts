import { hash } from 'node:crypto';
import { engineVersion } from '../../engine/replay.ts';
import type { StoredSettings } from '../transactions/elections.ts';
import coinbase from './books/coinbase.csv' with { type: 'text' };
import fidelity from './books/fidelity.csv' with { type: 'text' };
import prices from './books/prices.csv' with { type: 'text' };
import schwab from './books/schwab.csv' with { type: 'text' };

/**
 * A made-up person's years: wash sales in one account and across two, options that expire and that are bought back,
 * coins that are staked, traded and moved, dividends, and 12 SOL of which no row says where they came from.
 */
export const demoFiles: readonly { readonly name: string; readonly text: string }[] = [
  { name: 'fidelity.csv', text: fidelity },
  { name: 'schwab.csv', text: schwab },
  { name: 'coinbase.csv', text: coinbase },
];

export const demoPrices = prices;

/** What the person stated: which accounts give which form, and the figures from which a tax is estimated. */
export const demoSettings: StoredSettings = {
  filingStatus: 'single',
  taxableIncome: { 2024: '92000.00', 2025: '96000.00' },
  accounts: {
    Fidelity: { type: 'taxable', form: '1099-B' },
    Schwab: { type: 'taxable', form: '1099-B' },
    Coinbase: { type: 'taxable', form: '1099-DA' },
    Ledger: { type: 'taxable', form: 'none' },
    'Fidelity Roth IRA': { type: 'roth_ira' },
  },
};

/** The years with sales, each with its report. */
export const demoYears = [2024, 2025] as const;

/** As printed on the forms. */
export const demoName = 'Demo Taxpayer';

const contentLetters = 12;

/**
 * The address of the demo account, which no account can be registered under: it has no @. It names the books and the
 * engine, so that a release with others fills an account anew, and whoever looks at the old one is left in peace.
 */
export const demoEmail = `demo-${hash('sha256', JSON.stringify([engineVersion, demoFiles, demoPrices, demoSettings]), 'hex').slice(0, contentLetters)}`;

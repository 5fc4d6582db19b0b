import { hash } from 'node:crypto';
import { engineVersion } from '../../engine/replay.ts';
import type { StoredSettings } from '../transactions/elections.ts';
import coinbase from './books/coinbase.csv' with { type: 'text' };
import fidelity from './books/fidelity.csv' with { type: 'text' };
import prices from './books/prices.csv' with { type: 'text' };
import schwab from './books/schwab.csv' with { type: 'text' };

/**
 * The years of a made-up person: wash sales in one account and across two, options that expire and that are bought
 * back, staked, traded and moved coins, dividends, and 12 SOL from an unknown source.
 */
export const demoFiles: readonly { readonly name: string; readonly text: string }[] = [
  { name: 'fidelity.csv', text: fidelity },
  { name: 'schwab.csv', text: schwab },
  { name: 'coinbase.csv', text: coinbase },
];

export const demoPrices = prices;

/** The settings of the made-up person: the form of each account, and the figures for the tax estimate. */
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

/** The name printed on the forms. */
export const demoName = 'Demo Taxpayer';

const contentLetters = 12;

/**
 * The address of the demo account. It has no @, so no user can register it. It contains the versions of the books and
 * the engine, so a release with different ones fills a new account and does not disturb visitors of the old one.
 */
export const demoEmail = `demo-${hash('sha256', JSON.stringify([engineVersion, demoFiles, demoPrices, demoSettings]), 'hex').slice(0, contentLetters)}`;

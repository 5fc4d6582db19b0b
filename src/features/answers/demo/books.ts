import { hash } from 'node:crypto';
import { engineVersion } from '../../../engine/replay.ts';
import type { StoredSettings } from '../../ledger/transactions/elections.ts';
import coinbase from './books/coinbase.csv' with { type: 'text' };
import coinbaseForm from './books/coinbase-1099-da.csv' with { type: 'text' };
import fidelity from './books/fidelity.csv' with { type: 'text' };
import fidelityForm from './books/fidelity-1099-b.csv' with { type: 'text' };
import prices from './books/prices.csv' with { type: 'text' };
import schwab from './books/schwab.csv' with { type: 'text' };

/**
 * The files of a fictional taxpayer: wash sales within an account and across two accounts, options that expire or are
 * bought back, coins that are staked, traded and moved, dividends, and 12 SOL from an unknown source. Two Forms 1099
 * differ from the books: a broker does not see the wash sale in the IRA, and an exchange reports proceeds before its fee.
 */
export const demoFiles: readonly { readonly name: string; readonly text: string }[] = [
  { name: 'fidelity.csv', text: fidelity },
  { name: 'schwab.csv', text: schwab },
  { name: 'coinbase.csv', text: coinbase },
  { name: 'fidelity-1099-b.csv', text: fidelityForm },
  { name: 'coinbase-1099-da.csv', text: coinbaseForm },
];

export const demoPrices = prices;

/** The settings of the fictional taxpayer: the form of each account, and the figures for the tax estimate. */
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

/** The years with sales. A report is created for each. */
export const demoYears = [2024, 2025] as const;

/** The name printed on the forms. */
export const demoName = 'Demo Taxpayer';

const contentLetters = 12;

/**
 * The email address of the demo account. It has no @, so it cannot be registered by a user. It contains a hash of the
 * demo data and the engine version, so a release that changes either one fills a new account and does not disturb
 * visitors of the previous one.
 */
export const demoEmail = `demo-${hash('sha256', JSON.stringify([engineVersion, demoFiles, demoPrices, demoSettings]), 'hex').slice(0, contentLetters)}`;

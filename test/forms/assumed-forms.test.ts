import { afterAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { yearOf } from '../../src/base/day.ts';
import { Messages } from '../../src/commands/report/messages.ts';
import { readBooks, readReportRequest } from '../../src/commands/report/report.ts';
import type { AccountRules, Box, Disposal, InformationReturn, Rules } from '../../src/engine/model.ts';
import { summarize } from '../../src/engine/rules/year/year.ts';
import { sumSummaries } from '../../src/features/ledger/books/netting.ts';
import { formats } from '../../src/formats/index.ts';
import { formByName, formsByFormat } from '../../src/formats/information-returns.ts';
import { assumedForms } from '../../src/forms/assumed-forms.ts';
import { listWarnings } from '../../src/forms/draft.ts';
import { reportFormats } from '../../src/forms/index.ts';
import { brokerHistories, formHistories } from '../oracle/histories/narrow.ts';
import { replayAll } from '../oracle/views.ts';
import { draws } from '../support/depth.ts';
import { dataFolder } from '../support/process.ts';
import { seedFor } from '../support/seed.ts';
import { rules as defaultRules } from './books.ts';
import { allText, readPdf } from './pdf.ts';

/** Accounts without a stated form, their boxes, and the form that their name or source suggests. */
const folder = dataFolder();
afterAll(() => folder.remove());

/** Account names as users write them. Null means that the name suggests no form. */
const formsByName: Readonly<Record<string, InformationReturn | null>> = {
  Schwab: '1099-B',
  'Charles Schwab …123': '1099-B',
  SCHWAB_JOINT: '1099-B',
  'Fidelity (taxable)': '1099-B',
  'E*TRADE': '1099-B',
  'E-Trade 4455': '1099-B',
  'Robinhood Crypto': '1099-B',
  'J.P. Morgan Self-Directed': '1099-B',
  'T. Rowe Price': '1099-B',
  'Merrill Edge': '1099-B',
  'Interactive Brokers U1234567': '1099-B',
  'Public.com': '1099-B',
  'Chase brokerage': '1099-B',
  Coinbase: '1099-DA',
  'Coinbase Prime': '1099-DA',
  'kraken pro': '1099-DA',
  'Crypto.com App': '1099-DA',
  'Binance.US': '1099-DA',
  'Cash App': '1099-DA',
  River: '1099-DA',
  'Strike 2': '1099-DA',
  Questrade: null,
  'Interactive Brokers Canada': null,
  'Vanguard UK': null,
  'Kraken EU': null,
  Binance: null,
  'Coinbase Wallet': null,
  'Robinhood wallet': null,
  'Crypto.com DeFi': null,
  'Three Rivers Club': null,
  'Credit union on the River': null,
  'Paper chase': null,
  'Schwabing Sparkasse': null,
  'Ledger Nano': null,
  MetaMask: null,
  Brokerage: null,
  Lotbook: null,
  Швaб: null,
  '': null,
};

test.each(Object.entries(formsByName))('the name %p suggests %p', (name, form) => {
  expect(formByName(name)).toBe(form);
});

test.each([...formsByFormat])('an account named like the export %s suggests no form other than %s', (id, form) => {
  const { name = '' } = formats.find((one) => one.id === id) ?? {};
  const suggested = formByName(name);
  // Robinhood sends Form 1099-B for shares and Form 1099-DA for coins. The broker's form covers both.
  expect([form, null, '1099-B']).toContain(suggested);
});

test('every account with a line and no stated form is listed with its boxes, and no other account is', () => {
  const form = fc.constantFrom(undefined, 'none', '1099-B', '1099-DA');
  const drawings = fc.oneof(brokerHistories(40), formHistories(30));
  fc.assert(
    fc.property(drawings, fc.array(form, { minLength: 12, maxLength: 12 }), ({ history, rules: drawn }, forms) => {
      const names = [...new Set(history.flatMap(({ account, toAccount }) => [account, toAccount ?? '']))].sort();
      const accounts: Record<string, AccountRules> = Object.fromEntries(
        names.flatMap((name, at) => {
          const before: AccountRules = drawn.accounts[name] ?? { type: 'taxable' };
          const { form: _, ...known } = before;
          const stated = forms[at % forms.length];
          if (stated === undefined && drawn.accounts[name] === undefined) return [];
          return [[name, stated === undefined ? known : { ...known, form: stated }]];
        }),
      );
      const rules: Rules = { ...drawn, accounts };
      const { facts } = replayAll(history, rules, []);
      const disposals = facts.filter((fact) => fact.kind === 'disposal');
      for (const [year, own] of Map.groupBy(disposals, (disposal) => yearOf(disposal.on))) {
        const boxes = new Map<string, Set<Box>>();
        for (const { account, box } of own) {
          if (accounts[account]?.form === undefined)
            boxes.set(account, (boxes.get(account) ?? new Set<Box>()).add(box));
        }
        const expected = [...boxes].map(([account, set]) => ({ account, boxes: [...set].sort() }));
        // The summary of a year is stored as the sum of its parts, so two parts are used here.
        const half = Math.floor(own.length / 2);
        const summary = sumSummaries(year, [summaryOf(year, own.slice(0, half)), summaryOf(year, own.slice(half))]);
        const listed = assumedForms({ rules, summary }).map(({ account, boxes }) => ({ account, boxes }));
        expect(listed).toEqual(expected.sort((a, b) => (a.account < b.account ? -1 : 1)));
      }
    }),
    { seed: seedFor('assumed forms'), numRuns: draws(40, 200) },
  );
});

function summaryOf(year: number, disposals: readonly Disposal[]) {
  return summarize(year, { disposals, washes: [], incomes: [], contracts: [], issues: [] });
}

describe('the assumed form, by evidence', () => {
  const of = (account: string, boxes: string, rules: Partial<Rules>) => {
    const accountBoxes = [...boxes].map((box) => ({ account, box: box as Disposal['box'], count: 1 }));
    const summary = { ...summaryOf(2024, []), accountBoxes };
    return assumedForms({ rules: { ...defaultRules, ...rules }, summary })[0];
  };

  test('is "none", without a suggestion, if there is no evidence', () => {
    expect(of('Club', 'CF', {})).toEqual({
      account: 'Club',
      boxes: ['C', 'F'],
      form: 'none',
      suggestedForm: null,
      because: null,
      mayBeTaxFree: false,
      text: 'The boxes of Club are assumed (C and F): no form is set. Set the form in the account settings, or "none" to confirm that no form was issued.',
    });
  });

  test('is "none" if only the name suggests a form', () => {
    const assumed = of('Kraken', 'I', { accounts: { Kraken: { type: 'taxable' } } });
    expect(assumed).toMatchObject({ form: 'none', suggestedForm: '1099-DA', because: 'name' });
    expect(assumed?.text).toContain('usually sends Form 1099-DA, for digital assets sold from 2025 on.');
  });

  test('is the form of the source or of lines, which take precedence over the name', () => {
    const evidence = { Kraken: { source: '1099-B' } } as const;
    expect(of('Kraken', 'AC', { evidence })).toMatchObject({
      form: '1099-B',
      suggestedForm: '1099-B',
      because: 'source',
    });
    const lines = { Kraken: { lines: '1099-DA', source: '1099-B' } } as const;
    expect(of('Kraken', 'HK', { evidence: lines })).toMatchObject({ form: '1099-DA', because: 'lines' });
  });

  test('is "none" for sales that the form of the source does not report', () => {
    const assumed = of('Kraken', 'C', { evidence: { Kraken: { source: '1099-DA' } } });
    expect(assumed).toMatchObject({ form: 'none', suggestedForm: '1099-DA', because: 'source' });
    expect(assumed?.text).toContain('sends Form 1099-DA, but no form is assumed for these sales.');
  });

  test('cannot be confirmed for an account that may be tax-free until its type is stated', () => {
    const assumed = of('Schwab Roth IRA', 'C', {});
    expect(assumed).toMatchObject({ suggestedForm: null, because: null, mayBeTaxFree: true });
    expect(assumed?.text).toEndWith('Set its type and its form in the account settings.');
    const typed = of('Schwab Roth IRA', 'C', { accounts: { 'Schwab Roth IRA': { type: 'taxable' } } });
    expect(typed).toMatchObject({ suggestedForm: '1099-B', mayBeTaxFree: false });
  });
});

describe('the files of a year with assumed forms', () => {
  const rows = ['Schwab', 'Ledger', 'Club']
    .map((account) => `2024-01-02,buy,${account},KO,1,50,stock\n2024-05-02,sell,${account},KO,1,60,stock\n`)
    .join('');
  const render = async (format: string, ...more: string[]) => {
    const path = join(folder.path, 'rows.csv');
    writeFileSync(path, `date,type,account,asset,quantity,amount,asset_class\n${rows}`);
    const order = readReportRequest([path, '--year', '2024', '--format', format, ...more]);
    const books = await readBooks(order, new Messages());
    return { books, bytes: new Uint8Array(Buffer.concat(await Array.fromAsync(order.format.render(books)))) };
  };

  test('name each account in their warnings, with one sentence for all accounts without a suggestion', async () => {
    const { books } = await render('json');
    for (const format of reportFormats) {
      expect(listWarnings(format, books).filter((text) => text.startsWith('The boxes of'))).toEqual([
        'The boxes of Schwab are assumed (C): no form is set. A broker or exchange with this name usually sends Form 1099-B. Set the form in the account settings, or "none" to confirm that no form was issued.',
        'The boxes of these accounts are assumed, because no form is set: Club (C), Ledger (C). Set the form in the account settings, or "none" to confirm that no form was issued.',
      ]);
    }
  });

  test('list these accounts in JSON and in the full report until each form is stated', async () => {
    const stated = ['--form', 'Schwab=1099-B,Ledger=none,Club=none'];
    const json = JSON.parse(new TextDecoder().decode((await render('json')).bytes));
    expect(json.summary.assumedForms.map(({ account }: { account: string }) => account)).toEqual([
      'Club',
      'Ledger',
      'Schwab',
    ]);
    const confirmed = JSON.parse(new TextDecoder().decode((await render('json', ...stated)).bytes));
    expect(confirmed.summary.assumedForms).toEqual([]);
    const full = allText(await readPdf((await render('pdf')).bytes));
    expect(full).toContain('The boxes of 3 accounts are assumed, because their forms are not set; see Assumed forms.');
    expect(full).toContain('the name of the account');
    expect(allText(await readPdf((await render('pdf', ...stated)).bytes))).not.toContain('Assumed forms');
  });

  test('explain the box of each line as assumed', async () => {
    const { books } = await render('json');
    for (const { disposal } of books.lines)
      expect(disposal.boxReason).toBe(
        'No Form 1099-B reports this sale. This is assumed, because no form is set for the account.',
      );
  });
});

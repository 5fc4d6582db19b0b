import { timeZoneName } from '../../base/day.ts';
import { formatCents } from '../../base/decimal.ts';
import { otherAccountTypes, switchDefaults } from '../../engine/elections.ts';
import type { Rules } from '../../engine/model.ts';
import { choiceDefaults, type FormChoices } from '../choices.ts';
import { palette, type Sheet } from '../pdf/sheet.ts';
import { drawTable } from '../pdf/table.ts';
import type { ReportBooks } from '../report.ts';
import { isSeparate, spouseAccounts } from '../spouse.ts';

type Setting = readonly [name: string, value: string];

/** Draws the method, the elections and the choices behind the numbers, including defaults. */
export function drawSettings(sheet: Sheet, books: ReportBooks): void {
  sheet.open('Method and settings', 'flowing');
  drawTable(
    sheet,
    'Setting 3 | Value 5',
    listSettings(books).map(([name, value]) => ({ cells: [name, value] })),
  );
  sheet.paragraph(leftOut, 'regular', palette.muted);
  sheet.paragraph('Prepared from the records provided. Not tax advice.', 'italic', palette.muted);
}

/** Returns the method, the elections and the choices behind the numbers, including defaults. */
export function listSettings(books: ReportBooks): readonly Setting[] {
  const { rules, wholeDollars, filingStatus, taxableIncome, revision, asOf } = books;
  return [
    ['Lot method', rules.method],
    ...Object.entries(rules.methodByAccount).map(([account, method]) => [`Lot method in ${account}`, method] as const),
    ...rules.methodFrom.map(({ year, method }) => [`Lot method from ${year}`, method] as const),
    ...orderRows(rules),
    ['Digital assets before 2025', rules.digitalAssetScopeBefore2025 === 'universal' ? 'one pool' : 'per wallet'],
    ['Wash sales', washWords[rules.washSales]],
    ...(rules.washSalesFrom ?? []).map(
      ({ date, washSales }) => [`Wash sales from ${date}`, washWords[washSales]] as const,
    ),
    ...switchRows(rules),
    ...accountRows(rules),
    ['Amounts on forms', wholeDollars ? 'whole dollars' : 'dollars and cents'],
    ...choiceRows(books.choices ?? {}),
    ['Filing status', filingWords[filingStatus]],
    ['Carryover from prior year', carriedWords(books.carryoverIn)],
    ...spouseRows(books),
    ['Taxable income', taxableIncome === null ? 'not stated' : 'stated'],
    [
      'Time zone of dates',
      rules.timeZone === undefined ? 'UTC by default: no time zone is set' : timeZoneName(rules.timeZone),
    ],
    ...fixedRows,
    ['Ledger revision', `${revision} of ${asOf}`],
  ];
}

/** Points that the law leaves open and that users cannot elect (DECISIONS, "Nothing silent"). */
const fixedRows: readonly Setting[] = [
  ['Substantially identical', 'the same security, its successor, and options and contracts on it'],
  ['Partial fills of one order', 'purchases in one account within a minute do not replace each other'],
  ['Rows without a time on one day', 'acquisitions come first'],
  ['Costs of exchanging crypto', 'reduce the proceeds of the crypto given, also before 2025'],
  ['Two sides of a transfer', 'the same units sent and received within seven days, unless separated manually'],
];

/** Amounts that the books do not contain. */
export const leftOut =
  'Not in your records: lines 5 and 12 of Schedule D (Schedules K-1), lines 4 and 11 except Form 6781 (Forms 2439, 4684, 4797, 6252 and ' +
  '8824), exclusions of section 1202 (qualified small business stock) and unrecaptured section 1250 gain (line 19).';

/** Returns which tax return reports the spouse's accounts, if there are any. */
function spouseRows({ rules, year }: ReportBooks): Setting[] {
  const names = spouseAccounts(rules);
  if (names.length === 0) return [];
  const where = isSeparate(rules, year) ? "on the spouse's return" : 'counted here';
  return [["Spouse's accounts", `${names.join(', ')}: ${where}`]];
}

function orderRows({ standingOrders = [] }: Rules): Setting[] {
  return standingOrders.map(({ account, asset, method, madeAt, from }) => {
    const where = [asset, account].filter((word) => word !== undefined).join(' in ');
    const since = from === undefined ? '' : `, for sales from ${from}`;
    return [`Standing order${where === '' ? '' : `, ${where}`}`, `${method}, made ${madeAt}${since}`];
  });
}

const switchNames: Readonly<Record<keyof typeof switchDefaults, string>> = {
  washPeriod: 'Holding period of replacements',
  washSoldBefore: 'Replacements sold before the loss',
  fragmentOrder: 'Order within a purchase',
  giftBetweenBases: 'Gift sold between its two bases',
  transferFees: 'Network fees paid in kind',
  lateIdentification: 'Late lot identification',
  mergerRows: 'Form 8949 row of a merger with cash',
};

function switchRows(rules: Rules): Setting[] {
  const named = Object.entries(switchNames) as [keyof typeof switchDefaults, string][];
  const { washAccounts = otherAccountTypes, constructiveSalesOfCoinsFrom = 'no day' } = rules;
  return [
    ...named.map(([member, name]): Setting => [name, inWords(rules[member] ?? switchDefaults[member])]),
    ['Other accounts in wash sales', washAccounts.length === 0 ? 'none' : washAccounts.map(inWords).join(', ')],
    ['Constructive sales of crypto: questions from', constructiveSalesOfCoinsFrom],
  ];
}

/** Describes the carryover. It is zero if the books contain no rows and no statement for earlier years. */
function carriedWords({ short, long }: ReportBooks['carryoverIn']): string {
  if (short === 0n && long === 0n) return 'none, based on the rows and the settings';
  return `${formatCents(short)} short-term, ${formatCents(long)} long-term`;
}

function accountRows(rules: Rules): Setting[] {
  return Object.entries(rules.accounts).map(([name, { type, form, basisReported, wallet, paymentProcessor }]) => {
    const words = [
      inWords(type),
      ...(form === undefined ? [] : [`form ${form}`]),
      ...(basisReported === undefined ? [] : [basisReported ? 'basis reported' : 'basis not reported']),
      ...(wallet === undefined ? [] : [`wallet ${wallet}`]),
      ...(paymentProcessor === true ? ['payment processor'] : []),
    ];
    return [`Account ${name}`, words.join(', ')];
  });
}

function choiceRows({ columnB, merge, digitalAssets, exception1 }: FormChoices): Setting[] {
  return [
    ['Date acquired of lots with a tacked period', inWords(columnB ?? choiceDefaults.columnB)],
    ['Rows that combine lines', inWords(merge ?? choiceDefaults.merge)],
    ['Digital assets in TXF', inWords(digitalAssets ?? choiceDefaults.digitalAssets)],
    ...(exception1 === true
      ? [['Exception 1', 'totals of lines without adjustment go directly to Schedule D, lines 1a and 8a'] as const]
      : []),
  ];
}

function inWords(name: string): string {
  return name.replaceAll('_', ' ');
}

const washWords = {
  securities_only: 'securities only',
  securities_and_tokenized: 'securities and tokenized securities',
  all_assets: 'all assets (what-if)',
} as const;

const filingWords = {
  single: 'single',
  mfj: 'married filing jointly',
  mfs: 'married filing separately',
  hoh: 'head of household',
  qss: 'qualifying surviving spouse',
} as const;

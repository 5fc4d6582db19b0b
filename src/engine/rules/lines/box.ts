import { isDigital } from '../../events/classes.ts';
import type { AccountRules, AssetClass, Box, Term } from '../../model.ts';

export interface BoxQuestion {
  /** The tax year of recognition. */
  readonly year: number;
  readonly assetClass: AssetClass;
  /** The information return that reports the sale. */
  readonly form: '1099-B' | '1099-DA' | 'none';
  readonly basisReported: boolean;
  readonly term: Term;
}

/**
 * The check box of Form 8949, and why (i8949 2025, "Box A" to "Box L"; the printed forms of 2024 and 2025). Boxes G–L
 * are for digital assets from tax year 2025. From then on C and F are not used for them.
 */
export function boxOf(question: BoxQuestion): BoxAnswer {
  const { basisReported, term } = question;
  const digital = isOnNewForm(question);
  // Form 1099-DA exists since 2025, for digital assets only.
  const form = question.form === '1099-DA' && !digital ? 'none' : question.form;
  const column = term === 'short' ? 0 : 1;
  if (form === 'none') return digital ? noDigitalForm[column] : noForm[column];
  return forms[form][basisReported ? 0 : 1][column];
}

export interface BoxAnswer {
  readonly box: Box;
  readonly reason: string;
}

/** The answers for short-term and for long-term. */
type AnswerByTerm = readonly [BoxAnswer, BoxAnswer];

function answers(short: Box, long: Box, reason: string): AnswerByTerm {
  return [
    { box: short, reason },
    { box: long, reason },
  ];
}

const noForm = answers('C', 'F', 'No Form 1099-B reports this sale.');
const noDigitalForm = answers('I', 'L', 'No Form 1099-DA or 1099-B reports this sale.');
const forms = {
  '1099-B': [
    answers('A', 'D', 'Form 1099-B reports this sale, its basis was reported to the IRS.'),
    answers('B', 'E', 'Form 1099-B reports this sale, its basis was not reported to the IRS.'),
  ],
  '1099-DA': [
    answers('G', 'J', 'Form 1099-DA reports this sale, its basis was reported to the IRS.'),
    answers('H', 'K', 'Form 1099-DA reports this sale, its basis was not reported to the IRS.'),
  ],
} as const;

/**
 * Whether the basis of sales in a box was reported to the IRS. Then (e) shows the reported basis (i8949, column (e)).
 */
export function isBasisReported(box: Box): boolean {
  return box === 'A' || box === 'D' || box === 'G' || box === 'J';
}

/**
 * Which form reports a sale, by the account's settings. A broker that sends Form 1099-B for stock reports digital
 * assets on Form 1099-DA since 2025 (26 CFR 1.6045-1(c)(8), (d)(2)(i)(B)).
 */
export function evidenceOf(
  account: AccountRules | undefined,
  sale: Pick<BoxQuestion, 'year' | 'assetClass'>,
  covered: boolean,
): Pick<BoxQuestion, 'form' | 'basisReported'> {
  const stated = account?.form ?? 'none';
  const form = stated === '1099-B' && isOnNewForm(sale) ? '1099-DA' : stated;
  return { form, basisReported: form !== 'none' && (account?.basisReported ?? covered) };
}

/** Whether boxes G–L and Form 1099-DA apply. */
function isOnNewForm({ year, assetClass }: Pick<BoxQuestion, 'year' | 'assetClass'>): boolean {
  return isDigital(assetClass) && year >= 2025;
}

/** The box of the same form for the taxpayer's own term (i8949, code T: A to D, B to E, G to J, H to K). */
export function boxForTerm(box: Box, term: Term): Box {
  const pairs = ['AD', 'BE', 'CF', 'GJ', 'HK', 'IL'];
  const pair = pairs.find((letters) => letters.includes(box)) ?? 'CF';
  return pair[term === 'short' ? 0 : 1] as Box;
}

import { isDigital } from '../../events/classes.ts';
import type { AccountEvidence, AccountRules, AssetClass, Box, InformationReturn, Rules, Term } from '../../model.ts';

export interface BoxQuestion {
  /** The tax year of recognition. */
  readonly year: number;
  readonly assetClass: AssetClass;
  readonly form: InformationReturn | 'none';
  /** The evidence for the form. Default: `nothing`. */
  readonly evidence?: BoxEvidence;
  readonly basisReported: boolean;
  readonly term: Term;
}

/**
 * Returns the check box of Form 8949 and the reason for it (i8949 2025, "Box A" to "Box L"; the printed forms of 2024
 * and 2025). From tax year 2025, boxes G–L are for digital assets, and C and F are no longer used for them.
 */
export function chooseBox(question: BoxQuestion): BoxChoice {
  const { basisReported, term } = question;
  const digital = isOnNewForm(question);
  // Form 1099-DA has existed since 2025, for digital assets only.
  const form = question.form === '1099-DA' && !digital ? 'none' : question.form;
  const column = term === 'short' ? 0 : 1;
  const known = boxChoices[question.evidence ?? 'nothing'];
  if (form === 'none') return (digital ? known.noDigital : known.none)[column];
  return known[form][basisReported ? 0 : 1][column];
}

export interface BoxChoice {
  readonly box: Box;
  readonly reason: string;
  /** Set if the law exempts the sale from Forms 1099-B and 1099-DA. */
  readonly formExempt?: true;
}

/** The boxes for short-term and long-term. */
type BoxChoiceByTerm = readonly [BoxChoice, BoxChoice];

function toBoxChoices(short: Box, long: Box, reason: string): BoxChoiceByTerm {
  return [
    { box: short, reason },
    { box: long, reason },
  ];
}

/**
 * The evidence about the form that reports a sale, strongest first. Each text is the last sentence of the explanation
 * of a box.
 */
const evidenceWords = {
  account: 'This comes from the account settings.',
  lines: 'Your records contain lines of this form.',
  source: 'The rows of the account come from an export of a broker or exchange that issues this form.',
  nothing: 'This is assumed, because no form is set for the account.',
} as const;
type BoxEvidence = keyof typeof evidenceWords;

function buildBoxChoices(evidence: BoxEvidence) {
  const both = (short: Box, long: Box, reason: string): BoxChoiceByTerm =>
    toBoxChoices(short, long, `${reason} ${evidenceWords[evidence]}`.trim());
  return {
    none: both('C', 'F', 'No Form 1099-B reports this sale.'),
    noDigital: both('I', 'L', 'No Form 1099-DA or 1099-B reports this sale.'),
    '1099-B': [
      both('A', 'D', 'Form 1099-B reports this sale, and its basis was reported to the IRS.'),
      both('B', 'E', 'Form 1099-B reports this sale, but its basis was not reported to the IRS.'),
    ],
    '1099-DA': [
      both('G', 'J', 'Form 1099-DA reports this sale, and its basis was reported to the IRS.'),
      both('H', 'K', 'Form 1099-DA reports this sale, but its basis was not reported to the IRS.'),
    ],
  } as const;
}

/** Created once, because many lines share each choice. */
const boxChoices = {
  account: buildBoxChoices('account'),
  lines: buildBoxChoices('lines'),
  source: buildBoxChoices('source'),
  nothing: buildBoxChoices('nothing'),
} as const satisfies Readonly<Record<BoxEvidence, unknown>>;

/**
 * Returns whether the basis of sales in a box was reported to the IRS. If so, (e) shows the reported basis (i8949,
 * column (e)).
 */
export function isBasisReported(box: Box): boolean {
  return box === 'A' || box === 'D' || box === 'G' || box === 'J';
}

type AccountSale = Pick<BoxQuestion, 'year' | 'assetClass'> & { readonly account: string };

/**
 * Returns the form that reports a sale, from the first of these sources: the account settings, form lines in the books,
 * the source of the rows. A broker that sends Form 1099-B for stock has reported digital assets on Form 1099-DA since
 * 2025 (26 CFR 1.6045-1(c)(8), (d)(2)(i)(B)).
 */
export function resolveFormEvidence(
  rules: Pick<Rules, 'accounts' | 'evidence'>,
  sale: AccountSale,
  covered: boolean,
): Pick<BoxQuestion, 'form' | 'basisReported' | 'evidence'> {
  const accountRules = rules.accounts[sale.account];
  const [form, evidence] = resolveForm(accountRules, rules.evidence?.[sale.account] ?? noEvidence, sale);
  return { form, evidence, basisReported: form !== 'none' && (accountRules?.basisReported ?? covered) };
}

const noEvidence: AccountEvidence = {};

function resolveForm(
  accountRules: AccountRules | undefined,
  { lines, source }: AccountEvidence,
  sale: AccountSale,
): [BoxQuestion['form'], BoxEvidence] {
  if (accountRules?.form !== undefined) return [formFor(accountRules.form, sale), 'account'];
  const shown = formFor(lines, sale);
  if (shown !== 'none') return [shown, 'lines'];
  // No one was required to report digital assets before 2025.
  const sent = isDigital(sale.assetClass) && sale.year < 2025 ? 'none' : formFor(source, sale);
  return [sent, sent === 'none' ? 'nothing' : 'source'];
}

/** Returns the form that the account receives. Form 1099-DA has existed since 2025, for digital assets only. */
function formFor(sent: BoxQuestion['form'] = 'none', sale: AccountSale): BoxQuestion['form'] {
  if (isOnNewForm(sale)) return sent === '1099-B' ? '1099-DA' : sent;
  return sent === '1099-DA' ? 'none' : sent;
}

/** Returns whether boxes G–L and Form 1099-DA apply. */
function isOnNewForm({ year, assetClass }: Pick<BoxQuestion, 'year' | 'assetClass'>): boolean {
  return isDigital(assetClass) && year >= 2025;
}

/**
 * Returns the form of a line in a box. Returns undefined for boxes C, F, I and L, because no form reports these sales.
 */
export function formOfBox(box: Box): InformationReturn | undefined {
  if ('ABDE'.includes(box)) return '1099-B';
  return 'GHJK'.includes(box) ? '1099-DA' : undefined;
}

/** Returns the box of the same form for the taxpayer's own term (i8949, code T: A to D, B to E, G to J, H to K). */
export function boxForTerm(box: Box, term: Term): Box {
  const pairs = ['AD', 'BE', 'CF', 'GJ', 'HK', 'IL'];
  const pair = pairs.find((letters) => letters.includes(box)) ?? 'CF';
  return pair[term === 'short' ? 0 : 1] as Box;
}

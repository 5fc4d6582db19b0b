import { type Cents, formatQuantity, type Quantity } from '../../../base/decimal.ts';
import type { TaxYearSummary, Totals } from '../../../engine/model.ts';
import { missingBasisText } from '../../../forms/missing-basis.ts';
import type { Question } from './question.ts';
import type { AssistantReply, BooksPart, BookView, Citation, ReplyContext } from './view.ts';
import { columns, count, dollars, gainOrLoss } from './words.ts';

const assetsShown = 10;

/** The requested figure of the years, a note on the tax, an order of the assets, or null for all figures. */
type GainsFocus = 'shortTerm' | 'longTerm' | 'proceeds' | 'basis' | 'sales' | 'tax' | Extreme | null;
type Extreme = 'best' | 'worst';
type GainsFigure = Exclude<GainsFocus, 'tax' | Extreme | null>;

/**
 * Answers with the gains of the years in the question: short-term, long-term and total, for the named assets and
 * accounts or for all.
 */
export async function answerGains(
  question: Question,
  context: ReplyContext,
  focus: GainsFocus = null,
): Promise<AssistantReply> {
  const { view } = context;
  const years = selectYears(question, context);
  const extreme = focus === 'best' || focus === 'worst' ? focus : null;
  const figure = focus === 'tax' || focus === 'best' || focus === 'worst' ? null : focus;
  const parts: string[] = [];
  const citations: Citation[] = [];
  let net = 0n;
  let sales = 0;
  for (const part of partsOf(question)) {
    for (const year of years) {
      const name = nameOf(part, year);
      const isWhole = part.asset === null && part.account === null;
      const totals = isWhole ? await view.summary(year) : await totalsOfPart(view, year, part);
      net += totals.total.gain;
      sales += totals.total.count;
      if (figure !== null) parts.push(formatFocus(name, totals, figure));
      else if (isWhole) {
        const summary = await view.summary(year);
        parts.push(years.length > 3 ? oneLine(summary) : gainsOfYear(summary, extreme));
      } else parts.push(gainsOfPart(name, totals, part));
      citations.push(isWhole ? summaryPage(view, year) : disposalsPage(view, year, part.account));
    }
  }
  const isList = figure !== null || years.length > 3;
  if (years.length > 1 && figure === null) parts.push(`Total: ${gainOrLoss(net as Cents)}.`);
  if (years.length > 1 && figure === 'sales') parts.push(`Total: ${count(sales, 'sale')}.`);
  if (focus === 'tax')
    parts.push(
      "I can't estimate the tax itself. The Tax planning page can, for a planned sale, once you enter your income.",
    );
  return { content: parts.join(isList ? '\n' : '\n\n'), citations: distinct(citations) };
}

/** Returns each combination of the assets and accounts in a question. */
export function partsOf({ assets, accounts }: Pick<Question, 'assets' | 'accounts'>): readonly BooksPart[] {
  return orAll(assets).flatMap((asset) => orAll(accounts).map((account) => ({ asset, account })));
}

function orAll(names: readonly string[]): readonly (string | null)[] {
  return names.length === 0 ? [null] : names;
}

/** Returns `2024`, `AAPL in 2024` or `AAPL in Schwab in 2024`. */
export function nameOf({ asset, account }: BooksPart, year: number): string {
  return [asset, account, String(year)].filter((each) => each !== null).join(' in ');
}

interface TermTotals {
  readonly shortTerm: Totals;
  readonly longTerm: Totals;
  readonly total: Totals;
}

interface PartTotals extends TermTotals {
  readonly quantity: Quantity;
}

async function totalsOfPart(view: BookView, year: number, part: BooksPart): Promise<PartTotals> {
  const { quantity, shortTerm, longTerm } = await view.loadGains(year, part);
  const total = {
    proceeds: (shortTerm.proceeds + longTerm.proceeds) as Cents,
    basis: (shortTerm.basis + longTerm.basis) as Cents,
    adjustment: (shortTerm.adjustment + longTerm.adjustment) as Cents,
    gain: (shortTerm.gain + longTerm.gain) as Cents,
    count: shortTerm.count + longTerm.count,
  };
  return { quantity, shortTerm, longTerm, total };
}

function formatFocus(name: string, { shortTerm, longTerm, total }: TermTotals, figure: GainsFigure): string {
  switch (figure) {
    case 'shortTerm':
      return `${name}, short-term: ${term(shortTerm)}`;
    case 'longTerm':
      return `${name}, long-term: ${term(longTerm)}`;
    case 'proceeds':
      return `${name}: proceeds of ${dollars(total.proceeds)} from ${count(total.count, 'sale')}.`;
    case 'basis':
      return `${name}: basis of ${dollars(total.basis)} in ${count(total.count, 'sale')}.`;
    case 'sales':
      return total.count === 0
        ? `${name}: no sale.`
        : `${name}: ${count(total.count, 'sale')}, proceeds ${dollars(total.proceeds)}, ${gainOrLoss(total.gain)}.`;
    default:
      return figure satisfies never;
  }
}

/**
 * Returns the years in the question. If it names none, returns all years with activity. The subject determines which of
 * them the answer covers.
 */
export function selectYears(question: Question, { years, thisYear }: ReplyContext): readonly number[] {
  if (question.years.length > 0) return question.years;
  return years.length === 0 ? [thisYear] : years.slice(-yearsMax);
}

export const yearsMax = 20;

/** Answers a question for each of its years, and cites a page of each. */
export async function answerByYear(
  question: Question,
  context: ReplyContext,
  page: 'summary' | 'disposals',
  describe: (year: number) => Promise<string>,
  separator = '\n\n',
): Promise<AssistantReply> {
  const parts: string[] = [];
  const citations: Citation[] = [];
  for (const year of selectYears(question, context)) {
    parts.push(await describe(year));
    citations.push(page === 'summary' ? summaryPage(context.view, year) : disposalsPage(context.view, year));
  }
  return { content: parts.join(separator), citations: distinct(citations) };
}

export function summaryPage(view: BookView, year: number): Citation {
  return { title: `Summary of ${year}`, href: view.link('/v1/tax/summary', { year }) };
}

function disposalsPage(view: BookView, year: number, account: string | null = null): Citation {
  const query = account === null ? { year } : { year, account };
  return { title: `Disposals of ${year}`, href: view.link('/v1/tax/disposals', query) };
}

/** Returns a list of lines, with a last line that counts the items that are not shown. */
export function listWithRest(lines: readonly string[], others: number, one: string): string[] {
  return [...lines.map((line) => `- ${line}`), ...(others > 0 ? [`- and ${count(others, one)}`] : [])];
}

/** Removes repeated citations of a page. Keeps the order of first mention. */
export function distinct(citations: readonly Citation[]): readonly Citation[] {
  return [...new Map(citations.map((citation) => [citation.href, citation])).values()];
}

function gainsOfYear(summary: TaxYearSummary, extreme: Extreme | null): string {
  const { year, total, shortTerm, longTerm } = summary;
  const sentences =
    total.count === 0
      ? [`${year}: your books have no sale, so there is neither gain nor loss.`]
      : [
          `${year}: ${gainOrLoss(total.gain)} from ${count(total.count, 'sale')} (${columns(total)}).`,
          `- Short-term: ${term(shortTerm)}`,
          `- Long-term: ${term(longTerm)}`,
        ];
  const missing = missingBasisText(summary);
  if (missing !== null) sentences.push(`- ${missing}`);
  if (summary.washSaleDisallowed !== 0n)
    sentences.push(`- Wash sales: ${dollars(summary.washSaleDisallowed)} of losses are disallowed this year.`);
  if (summary.contracts1256.count > 0)
    sentences.push(
      `- Section 1256 contracts (Form 6781), not included above: ${gainOrLoss(summary.contracts1256.gain)}.`,
    );
  if (summary.assets.length > 0) sentences.push(...byAsset(summary, extreme));
  if (summary.issues > 0)
    sentences.push(`${count(summary.issues, 'issue')} may change these numbers. Ask me which issues are open.`);
  return sentences.join('\n');
}

function oneLine({ year, total, shortTerm, longTerm }: TaxYearSummary): string {
  if (total.count === 0) return `${year}: no sale.`;
  const terms = `short-term ${dollars(shortTerm.gain)}, long-term ${dollars(longTerm.gain)}`;
  return `${year}: ${gainOrLoss(total.gain)} (${terms}; ${count(total.count, 'sale')}).`;
}

function term(totals: Totals): string {
  if (totals.count === 0) return 'nothing.';
  return `${gainOrLoss(totals.gain)} from ${count(totals.count, 'sale')} (${columns(totals)}).`;
}

function byAsset(summary: TaxYearSummary, extreme: Extreme | null): string[] {
  const size = (gain: Cents): bigint => (gain < 0n ? -gain : gain);
  const order = (a: { gain: Cents }, b: { gain: Cents }): bigint => {
    if (extreme === 'best') return b.gain - a.gain;
    return extreme === 'worst' ? a.gain - b.gain : size(b.gain) - size(a.gain);
  };
  const sorted = [...summary.assets].sort((a, b) => Number(order(a, b)) || (a.asset < b.asset ? -1 : 1));
  const heading = extreme === null ? 'By asset:' : `By asset, ${extreme} first:`;
  const others = sorted.length - assetsShown;
  return [
    heading,
    ...listWithRest(
      sorted.slice(0, assetsShown).map((each) => `${each.asset}: ${gainOrLoss(each.gain)} (${columns(each)})`),
      others,
      'more asset',
    ),
  ];
}

function gainsOfPart(name: string, totals: TermTotals | PartTotals, { asset }: BooksPart): string {
  const { shortTerm, longTerm, total } = totals;
  if (total.count === 0) return `${name}: no sale, so there is neither gain nor loss.`;
  // Units of different assets have no sum.
  const units = asset !== null && 'quantity' in totals ? ` of ${formatQuantity(totals.quantity)} in total` : '';
  return [
    `${name}: ${gainOrLoss(total.gain)} from ${count(total.count, 'sale')}${units}.`,
    `- Short-term: ${term(shortTerm)}`,
    `- Long-term: ${term(longTerm)}`,
  ].join('\n');
}

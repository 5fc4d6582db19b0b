import { type Cents, formatQuantity } from '../../base/decimal.ts';
import type { TaxYearSummary, Totals } from '../../engine/model.ts';
import { missingBasisText } from '../../forms/missing-basis.ts';
import type { Question } from './question.ts';
import type { Subject } from './subjects.ts';
import type { AssistantReply, BookView, Citation, ReplyContext } from './view.ts';
import { columns, count, dollars, gainOrLoss } from './words.ts';

const assetsShown = 10;

/** The requested figure of a year, or null for all figures. */
type Focus = 'shortTerm' | 'longTerm' | 'proceeds' | 'basis' | 'sales' | null;

const focuses: Partial<Record<Subject, Focus>> = {
  shortTermGains: 'shortTerm',
  longTermGains: 'longTerm',
  proceeds: 'proceeds',
  soldBasis: 'basis',
  sales: 'sales',
};

/**
 * Answers with the gains of the years in the question: short-term, long-term and total, for the named assets or for
 * all.
 */
export async function answerGains(question: Question, context: ReplyContext): Promise<AssistantReply> {
  const { view } = context;
  const years = selectYears(question, context);
  const focus = (question.subject === null ? undefined : focuses[question.subject]) ?? null;
  const parts: string[] = [];
  const citations: Citation[] = [];
  let net = 0n;
  let sales = 0;
  const assets = question.assets.length === 0 ? [null] : question.assets;
  for (const asset of assets) {
    for (const year of years) {
      const totals = asset === null ? await view.summary(year) : await totalsOfAsset(view, year, asset);
      net += totals.total.gain;
      sales += totals.total.count;
      const name = asset === null ? `${year}` : `${asset} in ${year}`;
      if (focus !== null) parts.push(formatFocus(name, totals, focus));
      else if (asset !== null) parts.push(await gainsOfAsset(view, year, asset));
      else {
        const summary = await view.summary(year);
        parts.push(years.length > 3 ? oneLine(summary) : gainsOfYear(summary, question.extreme));
      }
      const path = asset === null ? ['Summary', '/v1/tax/summary'] : ['Disposals', '/v1/tax/disposals'];
      citations.push({ title: `${path[0]} of ${year}`, href: view.link(path[1] ?? '', { year }) });
    }
  }
  const isList = focus !== null || years.length > 3;
  if (years.length > 1 && focus === null) parts.push(`Total: ${gainOrLoss(net as Cents)}.`);
  if (years.length > 1 && focus === 'sales') parts.push(`Total: ${count(sales, 'sale')}.`);
  if (question.subject === 'taxOnGains')
    parts.push(
      "I can't estimate the tax itself. The Tax planning page can, for a planned sale, once you enter your income.",
    );
  return { content: parts.join(isList ? '\n' : '\n\n'), citations: distinct(citations) };
}

interface TermTotals {
  readonly shortTerm: Totals;
  readonly longTerm: Totals;
  readonly total: Totals;
}

async function totalsOfAsset(view: BookView, year: number, asset: string): Promise<TermTotals> {
  const { shortTerm, longTerm } = await view.loadGains(year, asset);
  const total = {
    proceeds: (shortTerm.proceeds + longTerm.proceeds) as Cents,
    basis: (shortTerm.basis + longTerm.basis) as Cents,
    adjustment: (shortTerm.adjustment + longTerm.adjustment) as Cents,
    gain: (shortTerm.gain + longTerm.gain) as Cents,
    count: shortTerm.count + longTerm.count,
  };
  return { shortTerm, longTerm, total };
}

function formatFocus(name: string, { shortTerm, longTerm, total }: TermTotals, focus: NonNullable<Focus>): string {
  switch (focus) {
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
      return focus satisfies never;
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

/** Removes repeated citations of a page. Keeps the order of first mention. */
export function distinct(citations: readonly Citation[]): readonly Citation[] {
  return [...new Map(citations.map((citation) => [citation.href, citation])).values()];
}

function gainsOfYear(summary: TaxYearSummary, extreme: Question['extreme']): string {
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

function byAsset(summary: TaxYearSummary, extreme: Question['extreme']): string[] {
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
    ...sorted.slice(0, assetsShown).map((each) => `- ${each.asset}: ${gainOrLoss(each.gain)} (${columns(each)})`),
    ...(others > 0 ? [`- and ${count(others, 'more asset', 'more assets')}`] : []),
  ];
}

async function gainsOfAsset(view: BookView, year: number, asset: string): Promise<string> {
  const { quantity, shortTerm, longTerm } = await view.loadGains(year, asset);
  const sales = shortTerm.count + longTerm.count;
  if (sales === 0) return `${asset} in ${year}: no sale, so there is neither gain nor loss.`;
  const gain = (shortTerm.gain + longTerm.gain) as Cents;
  return [
    `${asset} in ${year}: ${gainOrLoss(gain)} from ${count(sales, 'sale')} of ${formatQuantity(quantity)} in total.`,
    `- Short-term: ${term(shortTerm)}`,
    `- Long-term: ${term(longTerm)}`,
  ].join('\n');
}

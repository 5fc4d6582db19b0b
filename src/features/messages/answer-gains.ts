import { type Cents, formatQuantity } from '../../base/decimal.ts';
import type { TaxYearSummary, Totals } from '../../engine/model.ts';
import type { Question } from './question.ts';
import type { Answer, AnswerContext, BookView, Citation } from './view.ts';
import { columns, count, dollars, gainOrLoss } from './words.ts';

const assetsShown = 10;

/** Gains of the years in the question: short-term, long-term and total, of the named assets or of all. */
export async function answerGains(question: Question, context: AnswerContext): Promise<Answer> {
  const { view } = context;
  const years = yearsOf(question, context);
  const parts: string[] = [];
  const citations: Citation[] = [];
  if (question.assets.length > 0) {
    for (const asset of question.assets) {
      for (const year of years) {
        parts.push(await gainsOfAsset(view, year, asset));
        citations.push({
          title: `Disposals of ${year}`,
          href: view.link('/v1/tax/disposals', { year }),
        });
      }
    }
  } else {
    let net = 0n;
    for (const year of years) {
      const summary = await view.summary(year);
      net += summary.total.gain;
      parts.push(years.length > 3 ? oneLine(summary) : gainsOfYear(summary, question.extreme));
      citations.push({ title: `Summary of ${year}`, href: view.link('/v1/tax/summary', { year }) });
    }
    if (years.length > 1) parts.push(`Total: ${gainOrLoss(net as Cents)}.`);
  }
  if (question.tax) parts.push('The tax on this depends on your other income. I do not compute it.');
  return { content: parts.join(years.length > 3 ? '\n' : '\n\n'), citations: distinct(citations) };
}

/** The years in the question. A question without a year means the latest year with activity. */
export function yearsOf(question: Question, { years, thisYear }: AnswerContext): readonly number[] {
  if (question.years.length > 0) return question.years;
  const passed = years.filter((year) => year <= thisYear);
  return [passed.at(-1) ?? years[0] ?? thisYear];
}

/** One citation a page, in order of first mention. */
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
  const { quantity, shortTerm, longTerm } = await view.gainsOf(year, asset);
  const sales = shortTerm.count + longTerm.count;
  if (sales === 0) return `${asset} in ${year}: no sale, so there is neither gain nor loss.`;
  const gain = (shortTerm.gain + longTerm.gain) as Cents;
  return [
    `${asset} in ${year}: ${gainOrLoss(gain)} from ${count(sales, 'sale')} of ${formatQuantity(quantity)} in all.`,
    `- Short-term: ${term(shortTerm)}`,
    `- Long-term: ${term(longTerm)}`,
  ].join('\n');
}

import { formatDay } from '../../../base/day.ts';
import { formatQuantity, type Money } from '../../../base/decimal.ts';
import { boxNames, type TransactionType } from '../../../engine/model.ts';
import { rowOf } from '../../../engine/transaction-types.ts';
import { missingBasisText } from '../../../forms/missing-basis.ts';
import { answerByYear, distinct, listWithRest, selectYears, summaryPage } from './answer-gains.ts';
import type { Question } from './question.ts';
import type { AssistantReply, BookView, Citation, IncomeTotal, ReplyContext } from './view.ts';
import { columns, count, dollars, formatList, formatRoundedDollars, gainOrLoss, incomeName } from './words.ts';

const issuesShown = 5;
const washSalesShown = 10;

/** Answers with the contents of a year's report: boxes, lines, wash sales, and where to download it. */
export async function answerReport(question: Question, context: ReplyContext): Promise<AssistantReply> {
  const parts: string[] = [];
  const citations: Citation[] = [];
  for (const year of selectYears(question, context)) {
    parts.push(await describeReport(context.view, year, citations));
    citations.push({ title: `Lines of ${year}`, href: context.view.link('/v1/tax/disposals', { year }) });
  }
  return { content: parts.join('\n\n'), citations: distinct(citations) };
}

export function answerWashSales(question: Question, context: ReplyContext): Promise<AssistantReply> {
  return answerByYear(question, context, 'disposals', (year) => describeWashSales(context.view, year));
}

/** The kinds of income that a question can be limited to. */
const incomeKinds = {
  dividends: (type) => type === 'dividend' || type === 'reinvest' || type === 'capital_gain_distribution',
  interest: (type) => type === 'interest',
  staking: (type) => ['staking', 'mining', 'airdrop', 'reward'].includes(type),
  withheld: (type) => rowOf(type).isWithheld === true,
} satisfies Record<string, (type: TransactionType) => boolean>;

export function answerIncome(
  question: Question,
  context: ReplyContext,
  kind: keyof typeof incomeKinds | null = null,
): Promise<AssistantReply> {
  return answerByYear(question, context, 'summary', async (year) => {
    const parts: string[] = [];
    for (const asset of question.assets.length === 0 ? [null] : question.assets) {
      const all = await context.view.loadIncome(year, asset);
      const income = kind === null ? all : all.filter(({ type }) => incomeKinds[kind](type));
      parts.push(incomeText(asset === null ? `${year}` : `${asset} in ${year}`, income));
    }
    return parts.join('\n\n');
  });
}

export async function answerIssues({ view, years }: ReplyContext): Promise<AssistantReply> {
  const { first, count: total } = await view.issues(issuesShown);
  if (total === 0) return { content: 'Your books have no open issues.', citations: [] };
  const others = total - first.length;
  const year = years.at(-1);
  return {
    content: [
      `${count(total, 'issue is', 'issues are')} open. Each amount in brackets is the largest possible error:`,
      ...listWithRest(
        first.map(
          ({ on, asset, detail, ...issue }) =>
            `${formatDay(on)} ${asset} (${issue.dollars === null ? 'not known' : dollars(issue.dollars)}): ${detail}`,
        ),
        others,
        'more issue',
      ),
    ].join('\n'),
    citations: year === undefined ? [] : [summaryPage(view, year)],
  };
}

/**
 * Answers that all rows are explained only if there is no open issue, because unreadable lines and conflicting rows are
 * issues.
 */
export async function answerExplained(context: ReplyContext): Promise<AssistantReply> {
  const { count: total } = await context.view.issues(issuesShown);
  if (total === 0) return { content: 'Yes: all rows of your books are explained. No issue is open.', citations: [] };
  const { content, citations } = await answerIssues(context);
  return { content: `No: some rows could not be explained. ${content}`, citations };
}

export async function answerAssets({ view }: ReplyContext): Promise<AssistantReply> {
  const assets = await view.assets();
  const shown = assets.slice(0, assetsShown);
  const others = assets.length - shown.length;
  const names = others > 0 ? [...shown, `${others} more`] : shown;
  return {
    content: `Your books have ${count(assets.length, 'asset')}: ${formatList(names)}.`,
    citations: [{ title: 'Disposals', href: view.link('/v1/tax/disposals') }],
  };
}

const assetsShown = 50;

export function answerContracts(question: Question, context: ReplyContext): Promise<AssistantReply> {
  const describe = async (year: number): Promise<string> => {
    const { contracts1256 } = await context.view.summary(year);
    return contracts1256.count === 0
      ? `${year}: no section 1256 contracts.`
      : `${year}: ${gainOrLoss(contracts1256.gain)} on section 1256 contracts (Form 6781), ${dollars(contracts1256.short)} short-term and ${dollars(contracts1256.long)} long-term.`;
  };
  return answerByYear(question, context, 'summary', describe, '\n');
}

export async function answerYears({ view, years }: ReplyContext): Promise<AssistantReply> {
  const citations = [{ title: 'Years with activity', href: view.link('/v1/tax/years') }];
  if (years.length === 0) return { content: 'Your books have no year with activity yet.', citations };
  const lines: string[] = [];
  for (const year of years.slice(-yearsShown)) {
    const { total } = await view.summary(year);
    lines.push(
      `- ${year}: ${total.count === 0 ? 'no sale' : `${gainOrLoss(total.gain)} from ${count(total.count, 'sale')}`}`,
    );
  }
  return { content: [`Your books have activity in ${count(years.length, 'year')}:`, ...lines].join('\n'), citations };
}

const yearsShown = 20;

async function describeReport(view: BookView, year: number, citations: Citation[]): Promise<string> {
  const summary = await view.summary(year);
  const report = await view.report(year);
  if (report !== null) {
    const href = view.link(`/v1/tax/reports/${report.id}/download`, { format: '8949' });
    citations.push({ title: `Form 8949 of ${year} (PDF)`, href });
  }
  if (summary.total.count === 0)
    return `${year}: nothing to report on Form 8949, because you had no sales in that year.`;
  const parts = [
    `The report for ${year} has ${count(summary.total.count, 'line')} of Form 8949 with ${gainOrLoss(summary.total.gain)} in total:`,
    ...summary.boxes.map(
      (box) =>
        `- Box ${box.box} (${boxNames[box.box]}): ${count(box.count, 'line')}, ${columns(box)}, ${gainOrLoss(box.gain)}`,
    ),
    `Schedule D uses ${dollars(summary.shortTerm.gain)} short-term and ${dollars(summary.longTerm.gain)} long-term from these lines.`,
  ];
  const missing = missingBasisText(summary);
  if (missing !== null) parts.push(missing);
  if (summary.washSaleDisallowed !== 0n)
    parts.push(`Wash sales (code W) add back ${dollars(summary.washSaleDisallowed)} of losses.`);
  if (summary.issues > 0) parts.push(`${count(summary.issues, 'issue')} may still change it.`);
  parts.push(reportState(report, year));
  return parts.join('\n');
}

function reportState(report: { stale: boolean } | null, year: number): string {
  const make = `POST /v1/tax/reports with {"year": ${year}}`;
  if (report === null) return `There is no report for ${year} yet. To create one: ${make}.`;
  return report.stale
    ? `The books have changed since the newest report for ${year}. To create a current one: ${make}.`
    : 'The newest report is current. Download it below.';
}

async function describeWashSales(view: BookView, year: number): Promise<string> {
  const { first, count: total } = await view.washSales(year, washSalesShown);
  if (total === 0) return `${year}: no wash sales.`;
  const { washSaleDisallowed, washSalePermanent } = await view.summary(year);
  const others = total - first.length;
  const permanent = washSalePermanent === 0n ? '' : `, of which ${dollars(washSalePermanent)} permanently (IRA)`;
  return [
    `${year}: ${count(total, 'wash sale')} ${total === 1 ? 'disallows' : 'disallow'} ${dollars(washSaleDisallowed)} of losses${permanent}. Losses that are not disallowed permanently are added to the basis of the replacement lots.`,
    ...first.map(
      (wash) =>
        `- ${formatDay(wash.on)}: ${dollars(wash.disallowed)} on ${formatQuantity(wash.quantity)} ${wash.asset}${wash.permanent ? ', permanently' : ''}`,
    ),
    ...(others > 0 ? [`- and ${count(others, 'more', 'more')}`] : []),
  ].join('\n');
}

function incomeText(what: string, income: readonly IncomeTotal[]): string {
  const received = income.filter((each) => rowOf(each.type).isWithheld !== true);
  const withheld = income.filter((each) => rowOf(each.type).isWithheld === true);
  if (income.length === 0) return `${what}: no income in your books.`;
  const sum = received.reduce((total, each) => total + each.amount, 0n) as Money;
  const kept = withheld.map((each) => `Tax withheld: ${formatRoundedDollars(each.amount)}.`);
  return [
    `${what}: income of ${formatRoundedDollars(sum)}${received.length === 0 ? '.' : `, from ${formatList(received.map((each) => incomeName(each.type)))}:`}`,
    ...received.map(
      (each) => `- ${incomeName(each.type)}: ${formatRoundedDollars(each.amount)} (${count(each.count, 'row')})`,
    ),
    ...kept,
  ].join('\n');
}

/** Answers with the losses carried into the years in the question, deducted in them, and carried over. */
export function answerCarryover(question: Question, context: ReplyContext): Promise<AssistantReply> {
  return answerByYear(question, context, 'summary', async (year) => {
    const { in: into, out, deductible } = await context.view.carryover(year);
    return [
      `${year}: capital losses of ${dollars(into.short)} short-term and ${dollars(into.long)} long-term were carried in.`,
      `- Deducted from other income in ${year}: ${dollars(deductible)}`,
      `- Carried into ${year + 1}: ${dollars(out.short)} short-term, ${dollars(out.long)} long-term`,
    ].join('\n');
  });
}

import { yearOf } from '../../base/day.ts';
import { answerCarryover } from './answer-carryover.ts';
import { answerGains, yearsMax } from './answer-gains.ts';
import { answerHarvest } from './answer-harvest.ts';
import { answerLongTerm, answerLots } from './answer-lots.ts';
import { answerWhatIf } from './answer-what-if.ts';
import {
  answerAssets,
  answerContracts,
  answerExplained,
  answerIncome,
  answerIssues,
  answerReport,
  answerWashSales,
  answerYears,
} from './answer-year.ts';
import { parseQuestion, type Question } from './question.ts';
import { type Subject, type SubjectRow, subjects } from './subjects.ts';
import { topics } from './topics/topics.ts';
import type { AssistantReply, BookView, ReplyContext } from './view.ts';
import { formatList } from './words.ts';

/** The built-in assistant. Answers questions from the books, with exact numbers and without any other service. */
export async function composeReply(question: string, previous: string | null, view: BookView): Promise<AssistantReply> {
  const [years, assets] = [await view.years(), await view.assets()];
  const books = { thisYear: yearOf(view.today), years, assets };
  const understood = parseQuestion(question, books, previous);
  const context = { view, years, thisYear: books.thisYear };
  if (understood.topic !== null) {
    const { text, source } = topics[understood.topic];
    const isOurs = source.href.startsWith('/');
    return {
      content: `${text} (${source.title})`,
      citations: [isOurs ? { ...source, href: view.link(source.href) } : source],
    };
  }
  if (understood.subject === null) return unclear(understood, context);
  if (understood.subject === 'help') return { content: abilities(context), citations: [] };
  if (years.length === 0 && assets.length === 0) {
    return {
      content: 'These books are empty so far. Import a CSV file from your broker or exchange, then ask again.',
      citations: [{ title: 'Supported import formats', href: view.link('/v1/formats') }],
    };
  }
  const note = unknownNote(understood, assets);
  // Leaves out all numbers, because the user could mistake the numbers of other assets for those of the unknown asset.
  if (note !== '' && understood.assets.length === 0) return { content: note, citations: [] };
  const row: SubjectRow = subjects[understood.subject];
  if (row.years === 'one' && understood.years.length === 0 && years.length > 1) {
    return {
      content: `For which year? Your books have ${formatList(years.slice(-yearsMax).map(String))}.`,
      citations: [],
      isUnclear: true,
    };
  }
  if (aboutToday.has(understood.subject) && understood.years.some((year) => year !== books.thisYear)) {
    return {
      content: "I can only answer for today's holdings, not for holdings or purchases of another year.",
      citations: [],
      isUnclear: true,
    };
  }
  const reply = await replyBySubject[understood.subject](understood, context);
  const allYears =
    row.years === 'all' && understood.years.length === 0 && years.length > 1
      ? `You didn't name a year, so this covers ${years.length > yearsMax ? `the last ${yearsMax} years in` : 'every year in'} your books.`
      : '';
  const notes = [note, allYears].filter((each) => each !== '');
  return notes.length === 0 ? reply : { ...reply, content: [...notes, reply.content].join('\n\n') };
}

const aboutToday: ReadonlySet<Subject> = new Set(['holdings', 'units', 'lots', 'basis', 'longTerm']);

/** The function that answers each subject. */
const replyBySubject: Record<
  Subject,
  (question: Question, context: ReplyContext) => Promise<AssistantReply> | AssistantReply
> = {
  gains: answerGains,
  shortTermGains: answerGains,
  longTermGains: answerGains,
  taxOnGains: answerGains,
  proceeds: answerGains,
  soldBasis: answerGains,
  sales: answerGains,
  extremes: answerGains,
  holdings: answerLots,
  units: answerLots,
  lots: answerLots,
  basis: answerLots,
  longTerm: answerLongTerm,
  form8949: answerReport,
  boxes: answerReport,
  washSales: answerWashSales,
  carryover: answerCarryover,
  harvest: answerHarvest,
  whatIf: answerWhatIf,
  income: answerIncome,
  dividends: answerIncome,
  interest: answerIncome,
  staking: answerIncome,
  withheld: answerIncome,
  issues: (_, context) => answerIssues(context),
  explained: (_, context) => answerExplained(context),
  activeYears: (_, context) => answerYears(context),
  assetsKnown: (_, context) => answerAssets(context),
  contracts1256: answerContracts,
  help: (_, context) => ({ content: abilities(context), citations: [] }),
};

/** Answers a question that was not understood. Names the unknown words, so that the user can rephrase it. */
function unclear({ notUnderstood }: Question, context: ReplyContext): AssistantReply {
  const words = notUnderstood.slice(0, 5).map((word) => `“${word}”`);
  const fit = words.length === 0 ? '' : ` I can't answer questions about ${formatList(words)} yet.`;
  return { content: `I did not understand that.${fit} ${abilities(context)}`, citations: [], isUnclear: true };
}

/**
 * Describes what the user can ask. The examples use the years of these books, so that each of them works as a question.
 */
function abilities({ thisYear, years }: ReplyContext): string {
  const year = years.at(-1) ?? thisYear;
  return [
    'I answer from your books, to the cent. You can ask me, for example:',
    `- What were my gains in ${year}? (short-term, long-term, in total, by asset)`,
    '- Which lots of BTC do I hold, and at what basis?',
    '- When do my lots become long-term?',
    `- What is in the report for ${year}? (boxes of Form 8949, lines, wash sales)`,
    '- Which losses could I realize this year? Or: "What if I sell 5 AAPL at $150?"',
    '- How much of my losses carries over?',
    `- What income did I have in ${year}? (dividends, interest, staking …)`,
    '- Which issues are open? Could every row be explained?',
    '- What is a wash sale? When is the return due? What does PRO cost?',
    "I don't have market prices, and I don't calculate the tax itself.",
  ].join('\n');
}

function unknownNote(question: Question, assets: readonly string[]): string {
  if (question.unknownAssets.length === 0) return '';
  const known =
    assets.length === 0 ? '' : ` They hold ${formatList(assets.slice(0, 12))}${assets.length > 12 ? ' and more' : ''}.`;
  return `These books have no asset named ${formatList(question.unknownAssets, 'or')}.${question.assets.length > 0 ? '' : known}`;
}

import { yearOf } from '../../base/day.ts';
import { answerCarryover } from './answer-carryover.ts';
import { answerGains } from './answer-gains.ts';
import { answerHarvest } from './answer-harvest.ts';
import { answerLongTerm, answerLots } from './answer-lots.ts';
import { answerIncome, answerIssues, answerReport, answerWashSales, answerYears } from './answer-year.ts';
import { type Question, understand } from './question.ts';
import type { Answer, AnswerContext, BookView } from './view.ts';
import { listing } from './words.ts';

/** The built-in assistant. It answers questions from the books, exactly and without any other service. */
export async function answer(question: string, previous: string | null, view: BookView): Promise<Answer> {
  const [years, assets] = [await view.years(), await view.assets()];
  const books = { thisYear: yearOf(view.today), years, assets };
  const understood = understand(question, books, previous);
  if (understood.subject !== null && understood.subject !== 'help' && years.length === 0 && assets.length === 0) {
    return {
      content: 'These books are empty so far. Import a CSV file of your broker or exchange, then ask again.',
      citations: [{ title: 'The formats that can be imported', href: view.link('/v1/formats') }],
    };
  }
  const note = unknownNote(understood, assets);
  // Numbers of other assets would be mistaken for those of the unknown one.
  if (note !== '' && understood.assets.length === 0) return { content: note, citations: [] };
  const reply = await answerUnderstood(understood, { view, years, thisYear: books.thisYear });
  return note === '' ? reply : { content: `${note}\n\n${reply.content}`, citations: reply.citations };
}

function answerUnderstood(question: Question, context: AnswerContext): Promise<Answer> | Answer {
  switch (question.subject) {
    case 'gains':
      return answerGains(question, context);
    case 'lots':
      return answerLots(question, context);
    case 'longTerm':
      return answerLongTerm(question, context);
    case 'report':
      return answerReport(question, context);
    case 'washSales':
      return answerWashSales(question, context);
    case 'carryover':
      return answerCarryover(question, context);
    case 'harvest':
      return answerHarvest(question, context);
    case 'income':
      return answerIncome(question, context);
    case 'issues':
      return answerIssues(context);
    case 'years':
      return answerYears(context);
    case 'help':
      return { content: abilities(context), citations: [] };
    case null:
      return { content: `I did not understand that. ${abilities(context)}`, citations: [], isUnclear: true };
    default:
      return question.subject satisfies never;
  }
}

/** Uses the years of these books, so that each example works as a question. */
function abilities({ thisYear, years }: AnswerContext): string {
  const year = years.at(-1) ?? thisYear;
  return [
    'I answer from your books, to the cent. You can ask me, for example:',
    `- What were my gains in ${year}? (short-term, long-term, in total, by asset)`,
    '- Which lots of BTC do I hold, and at what basis?',
    '- When do my lots become long-term?',
    `- What is in the report for ${year}? (boxes of Form 8949, lines, wash sales)`,
    '- Which losses could I realize this year? Name a price for exact numbers: "… if I sell AAPL at $150".',
    '- How much of my losses carries over?',
    `- What income did I have in ${year}? (dividends, interest, staking …)`,
    '- Which issues are open?',
    'I know no market prices, and I do not compute the tax itself.',
  ].join('\n');
}

function unknownNote(question: Question, assets: readonly string[]): string {
  if (question.unknownAssets.length === 0 || question.subject === null || question.subject === 'help') return '';
  const known =
    assets.length === 0 ? '' : ` They hold ${listing(assets.slice(0, 12))}${assets.length > 12 ? ' and more' : ''}.`;
  return `These books have no asset named ${listing(question.unknownAssets, 'or')}.${question.assets.length > 0 ? '' : known}`;
}

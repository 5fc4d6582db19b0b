import { yearOf } from '../../../base/day.ts';
import type { HelpEntry } from '../help/entries.ts';
import { yearsMax } from './answer-gains.ts';
import type { QuestionMatch } from './match.ts';
import type { Question } from './question.ts';
import { type Template, templates } from './templates.ts';
import { understand } from './understand.ts';
import type { AssistantReply, BookView, ReplyContext } from './view.ts';
import { formatList, helpCitation } from './words.ts';

/** The built-in assistant. Answers questions from the books and the help center, without any other service. */
export async function composeReply(question: string, previous: string | null, view: BookView): Promise<AssistantReply> {
  const [years, assets, accounts] = [await view.years(), await view.assets(), await view.accounts()];
  const outline = { thisYear: yearOf(view.today), years, assets, accounts };
  const context = { view, years, thisYear: outline.thisYear };
  const { question: asked, template, entry, nearest, isEmpty } = understand(question, previous, outline);
  if (entry !== null) return entryReply(entry);
  if (isEmpty) return { content: abilities(context), citations: [] };
  if (template === null) return unclear(asked, nearest, context, assets);
  if (years.length === 0 && assets.length === 0) {
    return {
      content: 'These books are empty so far. Import a CSV file from your broker or exchange, then ask again.',
      citations: [{ title: 'Supported import formats', href: view.link('/v1/formats') }],
    };
  }
  return answerTemplate(template, asked, context, assets);
}

async function answerTemplate(
  template: Template,
  question: Question,
  context: ReplyContext,
  assets: readonly string[],
): Promise<AssistantReply> {
  const { years } = context;
  const note = unknownNote(question, assets);
  // Leaves out all numbers, because the user could mistake the numbers of other assets for those of the unknown asset.
  if (note !== '' && question.assets.length === 0) return { content: note, citations: [] };
  if (question.accounts.length > 0 && template.byAccount !== true) {
    return inReturn(
      `I can't limit this answer to ${formatList(question.accounts)}. Ask without the name of the account.`,
    );
  }
  if (template.years === 'one' && question.years.length === 0 && years.length > 1) {
    return inReturn(`For which year? Your books have ${formatList(years.slice(-yearsMax).map(String))}.`);
  }
  if (template.years === 'today' && question.years.some((year) => year !== context.thisYear)) {
    return inReturn("I can only answer for today's holdings, not for holdings or purchases of another year.");
  }
  const reply = await template.answer(question, context);
  const allYears =
    template.years === 'all' && question.years.length === 0 && years.length > 1
      ? `You didn't name a year, so this covers ${years.length > yearsMax ? `the last ${yearsMax} years in` : 'every year in'} your books.`
      : '';
  const notes = [note, allYears].filter((each) => each !== '');
  return notes.length === 0 ? reply : { ...reply, content: [...notes, reply.content].join('\n\n') };
}

/** Asks the user for something, which does not count as an answer. */
function inReturn(content: string): AssistantReply {
  return { content, citations: [], isUnclear: true };
}

function entryReply(entry: HelpEntry): AssistantReply {
  const official = entry.authority.filter(({ title }) => title !== 'Lotbook').map(({ title }) => title);
  const source = official.length === 0 ? '' : ` (${official.join('; ')})`;
  return { content: `${entry.title}\n${plainText(entry)}${source}`, citations: [helpCitation(entry)] };
}

function plainText({ text }: HelpEntry): string {
  return text.replaceAll(/\*\*|`/g, '');
}

/** The web client shows the list after this line as buttons. */
const suggestionsTitle = 'You can ask:';
const suggestionsMax = 3;
/** Matches below this nearness have too little in common with the question to be suggested. */
const suggestedFrom = { template: 0.1, entry: 0.25 };

/** Answers a question without a near match: with the nearest questions and help entries. It is not counted. */
function unclear(
  question: Question,
  nearest: readonly QuestionMatch[],
  context: ReplyContext,
  assets: readonly string[],
): AssistantReply {
  const near = nearest.filter(
    ({ template, nearness }) => nearness >= suggestedFrom[template === null ? 'entry' : 'template'],
  );
  const questions = near.flatMap(({ template }) => template ?? []).slice(0, suggestionsMax);
  const entries = near.flatMap(({ entry }) => entry ?? []).slice(0, suggestionsMax);
  const intro =
    question.partOfYear === null
      ? 'I did not understand that.'
      : `I did not understand that. My answers cover whole years, not “${question.partOfYear}”.`;
  if (questions.length + entries.length === 0) {
    return { content: `${intro} ${abilities(context)}`, citations: [], isUnclear: true };
  }
  const asset = question.assets[0] ?? assets[0];
  const year = question.years.at(-1);
  return {
    content: [
      intro,
      ...(questions.length === 0 ? [] : [suggestionsTitle]),
      ...questions.map((template) => `- ${exampleOf(template, context, asset, year)}`),
      ...(entries.length === 0 ? [] : ['These help entries may answer it:']),
    ].join('\n'),
    citations: entries.map(helpCitation),
    isUnclear: true,
  };
}

function exampleOf(
  { example }: Template,
  { years, thisYear }: ReplyContext,
  asset = 'AAPL',
  year = years.at(-1) ?? thisYear,
): string {
  return example.replace('{year}', String(year)).replace('{asset}', asset);
}

const introduced = ['gains', 'lots', 'longTerm', 'form8949', 'harvest', 'whatIf', 'carryover', 'income', 'issues'];

/** Describes what the user can ask. The examples use the years of these books, so that each works as a question. */
function abilities(context: ReplyContext): string {
  return [
    'I answer from your books, to the cent. You can ask me, for example:',
    ...templates.filter(({ id }) => introduced.includes(id)).map((each) => `- ${exampleOf(each, context)}`),
    '- What is a wash sale? When is the tax return due? How do I import a file?',
    "I don't have market prices, and I don't calculate the tax itself.",
  ].join('\n');
}

function unknownNote(question: Question, assets: readonly string[]): string {
  if (question.unknownAssets.length === 0) return '';
  const known =
    assets.length === 0 ? '' : ` They hold ${formatList(assets.slice(0, 12))}${assets.length > 12 ? ' and more' : ''}.`;
  return `These books have no asset named ${formatList(question.unknownAssets, 'or')}.${question.assets.length > 0 ? '' : known}`;
}

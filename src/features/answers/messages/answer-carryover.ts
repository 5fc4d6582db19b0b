import { distinct, selectYears } from './answer-gains.ts';
import type { Question } from './question.ts';
import type { AssistantReply, Citation, ReplyContext } from './view.ts';
import { dollars } from './words.ts';

/** Answers with the losses carried into the years in the question, deducted in them, and carried over. */
export async function answerCarryover(question: Question, context: ReplyContext): Promise<AssistantReply> {
  const { view } = context;
  const parts: string[] = [];
  const citations: Citation[] = [];
  for (const year of selectYears(question, context)) {
    const { in: into, out, deductible } = await view.carryover(year);
    parts.push(
      [
        `${year}: capital losses of ${dollars(into.short)} short-term and ${dollars(into.long)} long-term were carried in.`,
        `- Deducted from other income in ${year}: ${dollars(deductible)}`,
        `- Carried into ${year + 1}: ${dollars(out.short)} short-term, ${dollars(out.long)} long-term`,
      ].join('\n'),
    );
    citations.push({ title: `Summary of ${year}`, href: view.link('/v1/tax/summary', { year }) });
  }
  return { content: parts.join('\n\n'), citations: distinct(citations) };
}

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { proposeMapping } from '../../src/formats/mapping/mapping-proposal.ts';
import { readRows, rowLimits } from '../../src/formats/rows/rows.ts';
import { outcomeLines } from '../formats/outcome-lines.ts';
import { readWhole, streamOf } from '../formats/reading.ts';

/**
 * Layouts of files that are read without a format, in `test/fixtures/proposals/*.txt`: fewer than a hundred headers in
 * a catalog of services that no format reads, and made-up layouts for other services, languages and shapes, including
 * sources that have a format. `## ` begins a layout. The lines of the file follow, then `= ` and the correct result for
 * a line (its line number, then the cells of the Lotbook CSV, without ids and notes). A line without a result is not
 * imported. `? ` means that the file does not contain this fact, so the user must be asked.
 */
export interface UnknownLayout {
  readonly subject: string;
  readonly name: string;
  readonly text: string;
  readonly answers: readonly string[];
  /** True if some line requires a question. */
  readonly hasQuestion: boolean;
}

/** `right`: every line is correct with the unchanged proposal. `asked`: there was a question, and no line is wrong. */
export type ProposalVerdict = 'right' | 'asked' | 'wrong';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../fixtures/proposals');

export function unknownLayouts(): UnknownLayout[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .flatMap((file) => {
      const [, ...sections] = readFileSync(join(folder, file), 'utf8').split(/^## /m);
      return sections.map((section) => layoutOf(file.slice(0, -'.txt'.length), section));
    });
}

export function layoutOf(subject: string, section: string): UnknownLayout {
  const [name = '', ...lines] = section.trimEnd().split('\n');
  const isAnswer = (line: string): boolean => line.startsWith('= ') || line.startsWith('? ');
  const text = `${lines.filter((line) => !isAnswer(line)).join('\n')}\n`;
  const answers = lines.filter((line) => line.startsWith('= ')).map((line) => line.slice(2));
  return { subject, name, text, answers, hasQuestion: lines.some((line) => line.startsWith('? ')) };
}

/** Returns the verdict for a layout whose proposal is accepted unchanged. */
export async function judge({
  text,
  answers,
}: Pick<UnknownLayout, 'text' | 'answers'>): Promise<{ verdict: ProposalVerdict; why: readonly string[] }> {
  const rows = [];
  for await (const batch of readRows(streamOf(text), rowLimits, { bytes: 0 })) rows.push(...batch);
  const proposal = proposeMapping(rows);
  if (proposal === undefined) return { verdict: 'asked', why: ['no proposal'] };
  const shown = JSON.stringify(proposal.mapping);
  const reading = await readWhole(text, { mapping: proposal.mapping }).catch((error: unknown) => String(error));
  if (typeof reading === 'string') return { verdict: 'asked', why: [reading, shown] };
  const lines = outcomeLines(reading, 'Imported').map((line) => line.replace(/ id=.*$/, ''));
  const rejected = lines.filter((line) => / REJECTED /.test(line));
  const read = lines.filter((line) => !rejected.includes(line));
  const refused = new Set(rejected.map((line) => line.split(' ')[0]));
  const wrong = read.filter((line) => !answers.includes(line));
  const lost = answers.filter((line) => !read.includes(line) && !refused.has(line.split(' ')[0] ?? ''));
  const why = [...wrong.map((line) => `wrong ${line}`), ...lost.map((line) => `lost ${line}`), ...rejected, shown];
  if (wrong.length > 0 || lost.length > 0) return { verdict: 'wrong', why };
  return { verdict: rejected.length === 0 && answers.length > 0 ? 'right' : 'asked', why };
}

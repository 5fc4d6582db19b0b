import type { Draft } from '../../src/formats/format.ts';
import { toLotbookCells } from '../../src/formats/lotbook/lotbook-write.ts';
import type { WholeReading } from './reading.ts';

/**
 * Returns the contents of a file, one draft per line: its line numbers, then the filled cells of the Lotbook CSV.
 * Leaves out notes, and the account if it is the source's.
 */
export function outcomeLines(reading: WholeReading, source: string): string[] {
  const entries = reading.outcomes.flatMap((outcome) => {
    const lines = outcome.lines.join('+');
    if (outcome.kind === 'read') return outcome.drafts.map((draft) => [lines, draftText(draft, source)] as const);
    // A wrong result in a row that was read has no separate line.
    if (outcome.kind === 'rejected' && outcome.lines.length > 0)
      return [[lines, `REJECTED ${outcome.issue.column}: ${outcome.issue.code}`] as const];
    return [];
  });
  return entries
    .sort(([a], [b]) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
    .map(([lines, text]) => `${lines} ${text}`);
}

function draftText(draft: Draft, source: string): string {
  const { date, type, account, note, ...cells } = toLotbookCells(draft);
  void note;
  const filled = Object.entries(cells).filter(([, cell]) => cell !== '');
  const parts = filled.map(([column, cell]) => (column === 'asset' ? cell : `${column}=${cell}`));
  return [date, type, ...(account === source ? [] : [`@${account}`]), ...parts].join(' ');
}

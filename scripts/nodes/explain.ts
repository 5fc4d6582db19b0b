import type { Read, Write } from './history.ts';
import { fileOf, listStateRows, type Replays, type State, serializeCompared } from './model.ts';

/** Explains why a read cannot be right. `possible` contains the states that it could have shown. */
export async function explain(
  step: Read | Write,
  possible: readonly State[],
  seen: readonly State[],
  replays: Replays,
): Promise<string> {
  if (step.kind === 'list') return explainRows(step.rows ?? [], possible, seen);
  if (step.kind !== 'summary' && step.kind !== 'report') return 'The operation cannot have taken effect.';
  const shown = serializeCompared(step.figures ?? {});
  for (const state of seen)
    if ((await replays.computeFigures(state, step.year)) === shown)
      return `An earlier state came back: the ${step.kind} of ${step.year} lacks acknowledged writes.`;
  const [latest] = possible;
  const expected = latest === undefined ? '' : await replays.computeFigures(latest, step.year);
  return `The ${step.kind} of ${step.year} matches no prefix of the writes: it shows ${shown}, and the replay ${expected}.`;
}

function explainRows(shown: readonly string[], possible: readonly State[], seen: readonly State[]): string {
  const ids = shown.map(idOf);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) return `The row ${twice} is listed twice.`;
  const there = new Set(ids);
  // Rows that all possible histories have.
  const [latest, ...others] = possible;
  const needed = [...(latest?.rows.keys() ?? [])].filter((id) => others.every(({ rows }) => rows.has(id)));
  const missing = needed.filter((id) => !there.has(id));
  const files = new Set(ids.map(fileOf));
  const half = missing.find((id) => files.has(fileOf(id)));
  if (half !== undefined) return `${fileOf(half)} is incomplete: ${half} is missing, one of ${missing.length} rows.`;
  if (missing.length > 0) return `An acknowledged write was lost: ${missing.length} rows, such as ${missing[0] ?? ''}.`;
  const known = new Set(possible.flatMap(({ rows }) => [...rows.keys()]));
  const more = ids.filter((id) => !known.has(id));
  const all = [...shown].sort().join('\n');
  if (seen.some((state) => listStateRows(state).join('\n') === all))
    return 'An earlier state came back: undone or corrected rows are listed again.';
  if (more.length > 0) return `${more.length} listed rows were never stored, such as ${more[0] ?? ''}.`;
  const amounts = new Set(possible.flatMap(listStateRows));
  const wrong = shown.find((row) => !amounts.has(row));
  if (wrong === undefined) return 'Rows of different moments are listed together.';
  const written = seen.some((state) => listStateRows(state).includes(wrong));
  return written ? `An acknowledged correction was lost: ${wrong}.` : `An amount was never written: ${wrong}.`;
}

function idOf(row: string): string {
  return row.slice(0, row.indexOf(' '));
}

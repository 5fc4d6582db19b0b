import type { Read, Write } from './history.ts';
import { comparedOf, fileOf, listed, type Replays, type State } from './model.ts';

/** Says of a read that no order explains what is wrong with it. `possible`: the states of which it had to show one. */
export async function explain(
  step: Read | Write,
  possible: readonly State[],
  seen: readonly State[],
  replays: Replays,
): Promise<string> {
  if (step.kind === 'list') return explainRows(step.rows ?? [], possible, seen);
  if (step.kind !== 'summary' && step.kind !== 'report') return 'It cannot have been done.';
  const shown = comparedOf(step.figures ?? {});
  for (const state of seen)
    if ((await replays.figuresOf(state, step.year)) === shown)
      return `An earlier state came back: the ${step.kind} of ${step.year} lacks what was acknowledged.`;
  const [latest] = possible;
  const expected = latest === undefined ? '' : await replays.figuresOf(latest, step.year);
  return `The ${step.kind} of ${step.year} is the replay of no prefix: it says ${shown}, and the replay ${expected}.`;
}

function explainRows(shown: readonly string[], possible: readonly State[], seen: readonly State[]): string {
  const ids = shown.map(idOf);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) return `The row ${twice} stands twice.`;
  const there = new Set(ids);
  // Rows that each possible past has.
  const [latest, ...others] = possible;
  const needed = [...(latest?.rows.keys() ?? [])].filter((id) => others.every(({ rows }) => rows.has(id)));
  const missing = needed.filter((id) => !there.has(id));
  const files = new Set(ids.map(fileOf));
  const half = missing.find((id) => files.has(fileOf(id)));
  if (half !== undefined) return `Half of ${fileOf(half)} is there: ${half} is missing, among ${missing.length}.`;
  if (missing.length > 0)
    return `An acknowledged write was lost: ${missing.length} rows, among them ${missing[0] ?? ''}.`;
  const known = new Set(possible.flatMap(({ rows }) => [...rows.keys()]));
  const more = ids.filter((id) => !known.has(id));
  const all = [...shown].sort().join('\n');
  if (seen.some((state) => listed(state).join('\n') === all))
    return 'An earlier state came back: what was undone or corrected shows again.';
  if (more.length > 0) return `${more.length} rows are there that nobody has stored, among them ${more[0] ?? ''}.`;
  const amounts = new Set(possible.flatMap(listed));
  const wrong = shown.find((row) => !amounts.has(row));
  if (wrong === undefined) return 'Rows of several moments are shown as one.';
  const written = seen.some((state) => listed(state).includes(wrong));
  return written ? `An acknowledged correction was lost: ${wrong}.` : `An amount that nobody wrote: ${wrong}.`;
}

function idOf(row: string): string {
  return row.slice(0, row.indexOf(' '));
}

import { expect, test } from 'bun:test';
import { check } from '../../scripts/nodes/checker.ts';
import type { Operation, Read, Write } from '../../scripts/nodes/history.ts';
import { after, emptyState, listStateRows, Replays, type State } from '../../scripts/nodes/model.ts';

/** Made-up histories for the checker in `scripts/nodes`: sound ones, and one with each kind of loss planted. */
const replays = new Replays();
const asked = { user: 'u', attempts: 1, outcome: 'ok', status: 200 } as const;
const file = (number: number, rows = 30) => ({ name: `u-${number}`, number, rows });

/** Takes start and end in seconds. */
const from = (start: number, end: number) => ({ ...asked, start, end });
const imported = (number: number, start: number, end: number, more: Partial<Write> = {}) =>
  ({ ...from(start, end), kind: 'import', file: file(number), ...more }) as Write;
const correct = (row: string, amount: string, start: number, end: number, more: Partial<Write> = {}) =>
  ({ ...from(start, end), kind: 'edit', row, amount, ...more }) as Write;
const undo = (number: number, start: number, end: number): Write => ({
  ...from(start, end),
  kind: 'undo',
  file: `u-${number}`,
});

function stateAfter(...writes: readonly Write[]): State {
  return writes.reduce(after, emptyState);
}

function list(state: State | readonly string[], start: number, end: number): Read {
  return { ...from(start, end), kind: 'list', rows: 'rows' in state ? listStateRows(state) : state };
}

async function summary(state: State, start: number, end: number, revision = state.name): Promise<Read> {
  const figures = JSON.parse((await replays.computeFigures(state, 2024)).replace('nothing', '{}'));
  return { ...from(start, end), kind: 'summary', year: 2024, revision, figures };
}

async function runChecker(...history: readonly Operation[]): Promise<string> {
  const { findings } = await check(history);
  return findings.map(({ says }) => says).join('\n');
}

const one = imported(1, 0, 1);
const two = imported(2, 2, 3);
const fix = correct('u-1-3', '77.00', 4, 5);

test('consecutive writes, each followed by a read of its result, are sound', async () => {
  const gone = undo(1, 6, 7);
  const history = [one, two, fix, gone, list(stateAfter(one, two, fix), 5, 6), list(stateAfter(two), 8, 9)];
  const read = await summary(stateAfter(one, two), 3, 4);
  expect(await check([...history, read])).toEqual({ findings: [], users: 1, writes: 4, reads: 3 });
});

test('a read during a write shows the books before it or after it', async () => {
  const beside = { ...two, start: 2, end: 9 };
  const [before, later] = [stateAfter(one), stateAfter(one, two)];
  expect(await runChecker(one, beside, await summary(before, 3, 4), await summary(later, 5, 6))).toBe('');
  expect(await runChecker(one, beside, await summary(later, 3, 4), await summary(before, 5, 6))).toContain(
    'An earlier state',
  );
});

test('a write with an unknown outcome may have happened, may not have, or may happen later', async () => {
  const cut: Write = { ...two, outcome: 'unknown' };
  const [without, having] = [stateAfter(one), stateAfter(one, two)];
  expect(await runChecker(one, cut, list(without, 4, 5))).toBe('');
  expect(await runChecker(one, cut, list(having, 4, 5))).toBe('');
  expect(await runChecker(one, cut, list(without, 4, 5), list(having, 6, 7))).toBe('');
  expect(await runChecker(one, cut, list(having, 4, 5), list(without, 6, 7))).toContain('lost');
  expect(await runChecker(one, { ...two, outcome: 'refused' }, list(having, 4, 5))).toContain('never stored');
});

test('attempts with the same key are one write, which happens once', async () => {
  const first: Write = { ...two, key: 'k', outcome: 'unknown' };
  const again = imported(2, 4, 5, { key: 'k', answer: 'id' } as Partial<Write>);
  const both = stateAfter(one, two);
  expect(await runChecker(one, first, again, list(both, 6, 7))).toBe('');
  const third = imported(2, 8, 9, { key: 'k', answer: 'id' } as Partial<Write>);
  expect(await runChecker(one, first, again, undo(2, 6, 7), third, list(stateAfter(one), 10, 11))).toBe('');
  const other = { ...third, answer: 'another' } as Write;
  expect(await runChecker(one, first, again, other)).toContain('Two results were returned for one Idempotency-Key.');
  const [row = ''] = listStateRows(both);
  expect(await runChecker(one, first, again, list([row, ...listStateRows(both)], 6, 7))).toContain('is listed twice');
});

test('planted losses are found: a write, a correction, half of an import, an undo', async () => {
  expect(await runChecker(one, two, list(stateAfter(one), 4, 5))).toContain('An acknowledged write was lost: 30 rows');
  expect(await runChecker(one, two, await summary(stateAfter(one), 4, 5))).toContain('An earlier state came back');
  const half = listStateRows(stateAfter(one, two)).slice(0, -10);
  expect(await runChecker(one, two, list(half, 4, 5))).toContain('u-2 is incomplete');
  const third = imported(3, 6, 7);
  expect(await runChecker(one, fix, third, list(stateAfter(one, third), 8, 9))).toContain(
    'An acknowledged correction was lost',
  );
  expect(await runChecker(one, two, undo(2, 4, 5), list(stateAfter(one, two), 6, 7))).toContain(
    'An earlier state came back',
  );
});

test('planted figures are found: from no prefix, from half a file, and from a decreasing revision', async () => {
  const both = stateAfter(one, two);
  const right = await summary(both, 4, 5);
  const total = { proceeds: '1.00', basis: '0.00', adjustment: '0.00', gain: '1.00', count: 1 };
  const wrong = { ...right, figures: { ...(right as { figures: object }).figures, total } } as Read;
  expect(await runChecker(one, two, wrong)).toContain('matches no prefix');
  const rows = new Map([...both.rows].slice(0, 45));
  expect(await runChecker(one, two, await summary({ name: 'half', rows }, 4, 5))).toContain('matches no prefix');
  const early = await summary(stateAfter(one), 1, 2, 'r1');
  expect(await runChecker(one, early, two, await summary(both, 4, 5, 'r2'))).toBe('');
  expect(await runChecker(one, early, two, await summary(both, 4, 5, 'r1'))).toContain('The revision r1 went back');
});

test('the users of a history are checked separately', async () => {
  const others = [
    { ...one, user: 'v' },
    { ...list(emptyState, 4, 5), user: 'v' },
  ];
  const { findings, users } = await check([one, list(stateAfter(one), 4, 5), ...others]);
  expect(users).toBe(2);
  expect(findings.map(({ user }) => user)).toEqual(['v']);
});

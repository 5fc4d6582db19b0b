import { explain } from './explain.ts';
import { isRead, isWrite, type Operation, type Read, type Write } from './history.ts';
import { after, emptyState, listStateRows, Replays, type State, serializeCompared } from './model.ts';

/** An operation that no order of the operations explains. */
export interface Finding {
  readonly user: string;
  readonly operation: Operation | null;
  readonly says: string;
}

export interface Checked {
  readonly findings: readonly Finding[];
  readonly users: number;
  readonly writes: number;
  readonly reads: number;
}

/**
 * Checks histories against the model. Each user's books must be linearizable: there must be an order of the operations
 * in which each takes effect at one moment between its start and its end, and in which every read shows exactly the
 * replay of all writes before it. The order includes acknowledged operations and excludes refused ones. An operation
 * with an unknown outcome may take effect at any later time, or never. Uses the search of Wing and Gong, evaluated at
 * each response (Lowe 2017).
 */
export async function check(history: readonly Operation[]): Promise<Checked> {
  const findings: Finding[] = [];
  const users = Map.groupBy(history, ({ user }) => user);
  for (const operations of users.values()) {
    const finding = await new UserCheck(operations).run();
    if (finding !== null) findings.push(finding);
  }
  const done = history.filter(({ outcome }) => outcome === 'ok');
  return {
    findings,
    users: users.size,
    writes: done.filter(isWrite).length,
    reads: done.filter(isRead).length,
  };
}

/** One possible history: the state, and the open operations that took effect in it. */
interface Past {
  readonly state: State;
  /** Each operation with the name of the state that it produced or read. */
  readonly done: ReadonlyMap<Step, string>;
}

type Step = Write | Read;

class UserCheck {
  readonly #replays = new Replays();
  readonly #open = new Set<Step>();
  /**
   * Each state in any possible history by its name, to distinguish an old state that returned from one that never
   * existed.
   */
  readonly #seen = new Map<string, State>([[emptyState.name, emptyState]]);
  /** The state that each revision named. */
  readonly #revisions = new Map<string, string>();
  readonly #numbers = new Map<Step, number>();
  #pasts: readonly Past[] = [{ state: emptyState, done: new Map() }];

  constructor(private readonly operations: readonly Operation[]) {}

  async run(): Promise<Finding | null> {
    const { steps, doubled } = onceAKey(this.operations);
    if (doubled !== null) return finding(doubled, 'Two results were returned for one Idempotency-Key.');
    for (const step of steps) this.#numbers.set(step, this.#numbers.size);
    for (const { step, begins } of sortMoments(steps)) {
      if (begins) this.#open.add(step);
      else {
        const said = await this.#end(step);
        if (said !== null) return finding(step, said);
      }
    }
    return null;
  }

  /**
   * Handles the response to an operation, which must have taken effect by now. Returns null, or the reason why that is
   * impossible.
   */
  async #end(step: Step): Promise<string | null> {
    const before = this.#pasts;
    const pasts = new Map<string, Past>();
    const found = new Set<string>();
    for (const past of before) {
      for (const { state, done } of await this.#until(step, past)) {
        found.add(done.get(step) ?? '');
        const next = { state, done: new Map([...done].filter(([one]) => one !== step)) };
        pasts.set(this.#nameOf(next), next);
      }
    }
    this.#open.delete(step);
    this.#pasts = [...pasts.values()];
    if (this.#pasts.length === 0) {
      const states = before.map(({ state }) => state);
      return explain(step, states, [...this.#seen.values()], this.#replays);
    }
    return isRead(step) ? this.#noteRevision(step, [...found]) : null;
  }

  /** Returns all possible histories in which the step took effect, after any of the open ones. */
  async #until(step: Step, from: Past): Promise<Past[]> {
    const found: Past[] = [];
    const waiting = [from];
    const known = new Set<string>([this.#nameOf(from)]);
    for (let past = waiting.pop(); past !== undefined; past = waiting.pop()) {
      if (past.done.has(step)) {
        found.push(past);
        continue;
      }
      for (const open of this.#open) {
        if (past.done.has(open)) continue;
        const state = await this.#effectOf(open, past.state);
        if (state === null) continue;
        const next = { state, done: new Map([...past.done, [open, state.name]]) };
        const name = this.#nameOf(next);
        if (!known.has(name)) waiting.push(next);
        known.add(name);
      }
    }
    return found;
  }

  /** Returns the state after the step, or null if the step reads something that the state does not contain. */
  async #effectOf(step: Step, state: State): Promise<State | null> {
    if (isRead(step)) return (await shows(step, state, this.#replays)) ? state : null;
    const next = after(state, step);
    this.#seen.set(next.name, next);
    return next;
  }

  #nameOf({ state, done }: Past): string {
    return [state.name, ...[...done].map(([step, name]) => `${this.#numbers.get(step)}=${name}`).sort()].join(' ');
  }

  /** A revision names one state. The revision of an older state must not be returned with later figures. */
  #noteRevision(read: Read, [found, another]: readonly string[]): string | null {
    // Two states can have the same figures for a year.
    if (read.kind === 'list' || read.revision === undefined || found === undefined || another !== undefined)
      return null;
    const named = this.#revisions.get(read.revision);
    this.#revisions.set(read.revision, found);
    return named === undefined || named === found
      ? null
      : `The revision ${read.revision} went back: it named an earlier state.`;
  }
}

/** Returns whether a read shows exactly this state. */
export async function shows(read: Read, state: State, replays: Replays): Promise<boolean> {
  if (read.kind === 'list') {
    const [rows, expected] = [(read.rows ?? []).toSorted(), listStateRows(state)];
    return rows.length === expected.length && rows.every((row, at) => row === expected[at]);
  }
  return serializeCompared(read.figures ?? {}) === (await replays.computeFigures(state, read.year));
}

/** Merges operations with one key into one that starts with the first and is acknowledged with the first response. */
function onceAKey(operations: readonly Operation[]): {
  readonly steps: readonly Step[];
  readonly doubled: Step | null;
} {
  const steps = operations.filter((one) => isWrite(one) || isRead(one)).filter(({ outcome }) => outcome !== 'refused');
  const keyed = Map.groupBy(steps, (step) => step.key ?? step);
  let doubled: Step | null = null;
  const merged = [...keyed.values()].map((same): Step => {
    const [first] = same as [Step, ...Step[]];
    if (same.length === 1) return first;
    const answered = same.filter(({ outcome }) => outcome === 'ok');
    const made = new Set(answered.map((step) => ('answer' in step ? step.answer : undefined)));
    if (made.size > 1) doubled ??= answered.at(-1) ?? null;
    const start = Math.min(...same.map((step) => step.start));
    const ends = answered.map(({ end }) => end);
    return ends.length === 0 ? { ...first, start } : { ...first, start, outcome: 'ok', end: Math.min(...ends) };
  });
  return { steps: merged, doubled };
}

interface Moment {
  readonly at: number;
  readonly step: Step;
  readonly begins: boolean;
}

/**
 * Sorts starts before ends at the same moment because their order is unknown. Operations with an unknown outcome never
 * end.
 */
function sortMoments(steps: readonly Step[]): Moment[] {
  const moments = steps.flatMap((step): Moment[] => [
    { at: step.start, step, begins: true },
    ...(step.outcome === 'ok' ? [{ at: step.end, step, begins: false }] : []),
  ]);
  return moments.sort((a, b) => a.at - b.at || Number(b.begins) - Number(a.begins));
}

function finding(operation: Operation, says: string): Finding {
  return { user: operation.user, operation, says };
}

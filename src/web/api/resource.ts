import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { clientId } from './page-url.ts';
import { type Problem, toProblem } from './problem.ts';

/** Data that a page reads, with its loading state and error. */
export interface Reading<Data> {
  /** Undefined until the first response. Previous data remains while it reloads. */
  readonly data: Data | undefined;
  readonly problem: Problem | null;
  readonly isLoading: boolean;
}

interface CachedReading {
  readonly state: Signal<Reading<unknown>>;
  readonly load: () => Promise<unknown>;
  /** The number of components that show the data. */
  users: number;
  /** Counts loads so that an older response never replaces a newer one. */
  turn: number;
  isStale: boolean;
}

const entries = new Map<string, CachedReading>();
const entriesMax = 200;

/** Loads data, cached by key, and reloads it when the books change. A key stands for one request, and null for none. */
export function useResource<Data>(key: string | null, load: () => Promise<Data>): Reading<Data> {
  const entry = getEntry(key === null ? null : `${clientId.value ?? ''} ${key}`, load);
  useEffect(() => {
    if (entry === null) return;
    entry.users += 1;
    if (entry.isStale) void read(entry);
    return () => {
      entry.users -= 1;
    };
  }, [entry]);
  return entry === null ? nothing : (entry.state as ReadonlySignal<Reading<Data>>).value;
}

/** Reloads data after a change in the books. Data on screen reloads now, and other data when it is next shown. */
export function refresh(): void {
  for (const entry of entries.values()) {
    entry.isStale = true;
    if (entry.users > 0) void read(entry);
  }
}

/** Forgets all data after the user changed, so that nothing from the previous user is shown. */
export function forgetAll(): void {
  entries.clear();
}

const nothing: Reading<never> = { data: undefined, problem: null, isLoading: false };

function getEntry(key: string | null, load: () => Promise<unknown>): CachedReading | null {
  if (key === null) return null;
  const known = entries.get(key);
  if (known !== undefined) return known;
  const state = signal<Reading<unknown>>({ data: undefined, problem: null, isLoading: true });
  const entry: CachedReading = { state, load, users: 0, turn: 0, isStale: true };
  entries.set(key, entry);
  dropUnused();
  return entry;
}

async function read(entry: CachedReading): Promise<void> {
  entry.turn += 1;
  entry.isStale = false;
  const { turn } = entry;
  entry.state.value = { ...entry.state.peek(), isLoading: true };
  try {
    const data = await entry.load();
    if (turn === entry.turn) entry.state.value = { data, problem: null, isLoading: false };
  } catch (error) {
    if (turn !== entry.turn) return;
    entry.isStale = true;
    entry.state.value = { ...entry.state.peek(), problem: toProblem(error), isLoading: false };
  }
}

function dropUnused(): void {
  for (const [key, entry] of entries) {
    if (entries.size <= entriesMax) return;
    if (entry.users === 0 && !entry.state.peek().isLoading) entries.delete(key);
  }
}

// What could not be read while offline is read as soon as the connection is back.
addEventListener('online', () => {
  for (const entry of entries.values()) {
    if (entry.users > 0 && entry.state.peek().problem?.code === 'offline') void read(entry);
  }
});

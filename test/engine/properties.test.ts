import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Day } from '../../src/base/day.ts';
import { buildEvents } from '../../src/engine/events/events.ts';
import { listAssetKeys, listAssetLinks } from '../../src/engine/events/keys.ts';
import type { Fact, Rules, Transaction } from '../../src/engine/model.ts';
import { type Book, bookFromJson, bookToJson, emptyBook, openLots, replay } from '../../src/engine/replay.ts';
import { unsettledDays } from '../../src/engine/resume/resuming.ts';
import { buildLines } from '../../src/engine/rules/year/year.ts';
import { histories as anyHistories, type Drawn } from '../oracle/histories/generate.ts';
import { draws } from '../support/depth.ts';
import { seedFor } from '../support/seed.ts';

const seed = seedFor('engine properties');
const runs = { seed, numRuns: draws(150, 1000) };
/** Limits the search for the smallest history, which may take minutes, so that a failing test reports sooner. */
const histories = (longest: number): fc.Arbitrary<Drawn> => fc.limitShrink(anyHistories(longest), 2000);

test('a replay resumed after any day from a stored checkpoint equals the full replay', () => {
  fc.assert(
    fc.property(histories(40), fc.nat(), ({ history, rules }, dice) => {
      const days = [...new Set(history.map((row) => row.on))];
      const full = run(emptyBook(), history, rules);
      const { cut, before } = checkpointAfter(days[dice % days.length] as Day, history, rules);
      const stored = bookFromJson(JSON.parse(JSON.stringify(bookToJson(before.book))));
      const given = JSON.stringify(bookToJson(stored));
      const after = run(
        stored,
        history.filter((row) => row.on > cut),
        rules,
        history,
      );
      const kept = before.facts.filter((fact) => fact.causedOn <= cut);
      expect(factTexts([...kept, ...after.facts])).toEqual(factTexts(full.facts));
      expect(bookToJson(after.book)).toEqual(bookToJson(full.book));
      // The checkpoint itself is unchanged and may be used again.
      expect(JSON.stringify(bookToJson(stored))).toBe(given);
    }),
    runs,
  );
});

test('a checkpoint at any year-end produces the same books', () => {
  fc.assert(
    fc.property(histories(30), ({ history, rules }) => {
      const checkpoints: Book[] = [];
      const keys = keysOf(history);
      const full = replay(emptyBook(), history, rules, keys, { onState: (_year, book) => checkpoints.push(book) });
      const isUnsettled = unsettledDays(history);
      for (const checkpoint of checkpoints) {
        const cut = checkpoint.asOf ?? (0 as Day);
        if (isUnsettled(cut)) continue;
        const later = history.filter((row) => row.on > cut);
        const resumed = replay(checkpoint, later, rules, keys);
        const kept = full.facts.filter((fact) => fact.causedOn <= cut);
        expect(factTexts([...kept, ...resumed.facts])).toEqual(factTexts(full.facts));
        expect(bookToJson(resumed.book)).toEqual(bookToJson(full.book));
      }
    }),
    { ...runs, numRuns: Math.ceil(runs.numRuns / 4) },
  );
});

test('the input order of transactions does not matter', () => {
  fc.assert(
    fc.property(histories(30), fc.infiniteStream(fc.nat()), ({ history, rules }, dice) => {
      const shuffled = history
        .map((row) => ({ row, at: dice.next().value ?? 0 }))
        .sort((a, b) => a.at - b.at)
        .map(({ row }) => row);
      const [given, other] = [run(emptyBook(), history, rules), run(emptyBook(), shuffled, rules)];
      expect(other.facts).toEqual(given.facts);
      expect(bookToJson(other.book)).toEqual(bookToJson(given.book));
    }),
    runs,
  );
});

test('books replayed one by one have the same result as together', () => {
  fc.assert(
    fc.property(histories(30), ({ history, rules }) => {
      const known = lastDayOf(history);
      const together = replay(emptyBook(), history, rules, keysOf(history), { through: known });
      const apart = componentsOf(history).map((keys) => {
        const rows = history.filter((row) => listAssetKeys(row).some((key) => keys.has(key)));
        return replay(emptyBook(), rows, rules, keys, { through: known });
      });
      expect(factTexts(apart.flatMap(({ facts }) => facts))).toEqual(factTexts(together.facts));
      const lots = apart.flatMap(({ book }) => openLots(book));
      expect(texts(lots)).toEqual(texts(openLots(together.book)));
    }),
    runs,
  );
});

test('every event of a transaction belongs to a key that the transaction lists', () => {
  fc.assert(
    fc.property(histories(30), ({ history }) => {
      for (const row of history) {
        for (const event of buildEvents(row)) expect(listAssetKeys(row)).toContain(event.key);
      }
    }),
    { ...runs, numRuns: Math.ceil(runs.numRuns / 5) },
  );
});

test('facts and lots have unique names, and every line foots', () => {
  fc.assert(
    fc.property(histories(40), ({ history, rules }) => {
      const { book, facts } = run(emptyBook(), history, rules);
      for (const kind of ['disposal', 'wash', 'income', 'contract_1256', 'issue'] as const) {
        const ids = facts.filter((fact) => fact.kind === kind).map((fact) => fact.id);
        expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
      }
      const lotIds = openLots(book).map((lot) => lot.id);
      expect(new Set(lotIds).size).toBe(lotIds.length);
      for (const line of lines(facts)) {
        expect(line.gain).toBe((line.disposal.proceeds - line.disposal.basis + line.adjustment) as typeof line.gain);
      }
    }),
    { ...runs, numRuns: Math.ceil(runs.numRuns / 3) },
  );
});

test('no share replaces two losses, and no loss is denied beyond its amount', () => {
  fc.assert(
    fc.property(histories(40), ({ history, rules }) => {
      const { book, facts } = run(emptyBook(), history, rules);
      for (const pool of book.pools) {
        for (const lot of pool.lots) expect(lot.used >= 0n && lot.used <= lot.quantity).toBe(true);
      }
      const denied = new Map<string, bigint>();
      for (const fact of facts) {
        if (fact.kind !== 'wash') continue;
        expect(fact.disallowed >= 0n && fact.quantity > 0n).toBe(true);
        denied.set(fact.disposalId, (denied.get(fact.disposalId) ?? 0n) + fact.disallowed);
      }
      for (const fact of facts) {
        if (fact.kind !== 'disposal' || !denied.has(fact.id)) continue;
        // The difference from a form is included in (d) and (e) and removed in (g).
        expect((denied.get(fact.id) ?? 0n) <= fact.basis - fact.proceeds - fact.adjustment).toBe(true);
      }
    }),
    { ...runs, numRuns: Math.ceil(runs.numRuns / 3) },
  );
});

/**
 * Returns a checkpoint. Shares that become worthless in May count from December, so a book's day may be after the last
 * row.
 */
function checkpointAfter(
  day: Day,
  history: readonly Transaction[],
  rules: Rules,
): { cut: Day; before: ReturnType<typeof run> } {
  const past = history.filter((row) => row.on <= day);
  const before = run(emptyBook(), past, rules, history);
  const cut = before.book.asOf ?? day;
  // A book cannot be stopped between a trade and the row that reverses it: uses the next possible day, or none.
  const next = history.map((row) => row.on).filter((on) => on > day);
  if (unsettledDays(history)(cut)) {
    if (next.length > 0) return checkpointAfter(Math.min(...next) as Day, history, rules);
    return { cut: (cut - 100_000) as Day, before: run(emptyBook(), [], rules, history) };
  }
  return cut > day ? checkpointAfter(cut, history, rules) : { cut, before };
}

function run(book: Book, rows: readonly Transaction[], rules: Rules, all = rows): ReturnType<typeof replay> {
  return replay(book, rows, rules, keysOf(all));
}

function lastDayOf(rows: readonly Transaction[]): Day {
  return Math.max(...rows.flatMap((row) => [row.on, ...buildEvents(row).map((event) => event.on)])) as Day;
}

function keysOf(rows: readonly Transaction[]): Set<string> {
  return new Set(rows.flatMap(listAssetKeys));
}

function lines(facts: readonly Fact[]): ReturnType<typeof buildLines> {
  return buildLines(
    facts.filter((fact) => fact.kind === 'disposal'),
    facts.filter((fact) => fact.kind === 'wash'),
  );
}

function componentsOf(rows: readonly Transaction[]): Set<string>[] {
  const roots = new Map<string, string>();
  const rootOf = (key: string): string => {
    const above = roots.get(key) ?? key;
    return above === key ? key : rootOf(above);
  };
  for (const row of rows) for (const key of listAssetKeys(row)) if (!roots.has(key)) roots.set(key, key);
  for (const row of rows) for (const [a, b] of listAssetLinks(row)) roots.set(rootOf(a), rootOf(b));
  const components = Map.groupBy(roots.keys(), rootOf);
  return [...components.values()].map((keys) => new Set(keys));
}

function factTexts(facts: readonly Fact[]): string[] {
  return texts(facts);
}

function texts(values: readonly unknown[]): string[] {
  return values
    .map((value) => JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? `${member}` : member)))
    .sort();
}

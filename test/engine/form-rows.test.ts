import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Day } from '../../src/base/day.ts';
import { withoutReversed } from '../../src/engine/events/corrections.ts';
import { countsOn } from '../../src/engine/events/events.ts';
import { isFormRow } from '../../src/engine/events/form-rows.ts';
import { listAssetKeys } from '../../src/engine/events/keys.ts';
import type { Fact } from '../../src/engine/model.ts';
import { type Book, bookFromJson, bookToJson, emptyBook, replay } from '../../src/engine/replay.ts';
import { canResume, unsettledDays } from '../../src/engine/resume/resuming.ts';
import { formHistories } from '../oracle/histories/narrow.ts';
import { draws } from '../support/depth.ts';
import { seedFor } from '../support/seed.ts';

const seed = seedFor('rows of forms');

/** A row that is added later changes how earlier form rows are matched, and the stored books must reflect that. */
test('adding any row to a history and resuming from a stored book gives the same facts as a full replay', () => {
  let resumed = 0;
  fc.assert(
    fc.property(fc.limitShrink(formHistories(24), 2000), fc.nat(), fc.nat(), ({ history, rules }, which, when) => {
      const forms = history.filter(isFormRow);
      const rows = which % 2 === 0 && forms.length > 0 ? forms : history;
      const added = rows[which % rows.length];
      if (added === undefined) return;
      const before = history.filter((row) => row !== added);
      const keys = new Set(history.flatMap(listAssetKeys));
      const states: Book[] = [];
      const options = { onState: (_year: number, book: Book) => states.push(book), endsState: () => true };
      const stored = replay(emptyBook(), before, rules, keys, options);
      const isUnsettled = unsettledDays(before);
      const usable = states.filter(({ asOf }) => asOf !== null && asOf < added.on && !isUnsettled(asOf));
      const book = usable.at(-1 - (when % 4));
      if (book === undefined) return;
      const cut = book.asOf ?? (0 as Day);
      const later = history.filter((row) => countsOn(row) > cut);
      if (!canResume(book, later)) return;
      resumed += 1;
      const after = replay(bookFromJson(bookToJson(book)), withoutReversed(later), rules, keys);
      const full = replay(emptyBook(), history, rules, keys);
      expect(textsOf([...stored.facts.filter((fact) => fact.causedOn <= cut), ...after.facts])).toEqual(
        textsOf(full.facts),
      );
    }),
    { seed, numRuns: draws(200, 1500) },
  );
  expect(resumed).toBeGreaterThan(draws(10, 100));
});

function textsOf(facts: readonly Fact[]): string[] {
  return facts
    .map((fact) => JSON.stringify(fact, (_key, member) => (typeof member === 'bigint' ? `${member}` : member)))
    .sort();
}

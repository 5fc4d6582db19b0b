import type { Deps } from '../../../../deps.ts';
import type { TryChange } from '../../../../http/years-preview.ts';
import { inTurnTakenBack } from '../../transactions/turn.ts';
import { readYearsSeen, yearChanges } from './year-changes.ts';

/** Returns a function that shows the effect of a change on the tax years and stores nothing. */
export const createTryChange =
  (deps: Deps): TryChange =>
  (taxpayerId, work) =>
    inTurnTakenBack(deps, taxpayerId, async (sql) => {
      const before = await readYearsSeen(sql, taxpayerId);
      const result = await work(sql);
      return { ...result, preview: { years: yearChanges(before, await readYearsSeen(sql, taxpayerId)) } };
    });

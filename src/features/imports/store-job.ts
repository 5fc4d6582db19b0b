import type { Job, JobWork } from '../../db/job-queue.ts';
import { electionsOf, type StoredSettings } from '../transactions/elections.ts';
import type { StageScope } from '../transactions/rows/queries.ts';
import { hasStaged } from '../transactions/staged/queries.ts';
import { stagedLost } from '../transactions/store.ts';
import { giveUp } from './failed-import.ts';
import type { ImportDeps } from './import-deps.ts';
import { selectStoreOrder } from './status/queries.ts';
import type { StoreOrder } from './store.ts';
import { storeStaged } from './storing.ts';

/** Stores files that had arrived whole when their requests were answered: on this server, or on one that took over. */
export function storingJobs(deps: ImportDeps): JobWork {
  return {
    perform: async (job, signal) => {
      const scope = scopeOf(job);
      const [order, isStaged] = await deps.database.asTaxpayer(
        job.taxpayerId,
        async (sql) =>
          [(await selectStoreOrder(sql, scope)) as WrittenOrder | null, await hasStaged(sql, scope)] as const,
        { readOnly: true },
      );
      // It was stored before, or is gone with its books.
      if (order === null) return;
      // To try once more brings nothing back.
      if (!isStaged && order.staged.drafts > 0)
        await giveUp(deps, scope, stagedLost(), { isAnswered: false, dryRun: false });
      else await storeStaged(deps, readOrder(order), signal);
    },
    giveUp: (job, error) => giveUp(deps, scopeOf(job), error, { isAnswered: false, dryRun: false }),
  };
}

function scopeOf({ taxpayerId, id }: Job): StageScope {
  return { taxpayerId, importId: id };
}

/** Without what follows from the settings, and without what the request had that was answered: its key, its entry in the audit. */
type WrittenOrder = Omit<StoreOrder, 'settings' | 'heldKey' | 'audit'> & {
  readonly settings: { readonly stored: StoredSettings; readonly timeZone: string };
};

export function writtenOrder({ settings, heldKey: _answered, audit: _recorded, ...order }: StoreOrder): WrittenOrder {
  return { ...order, settings: { stored: settings.stored, timeZone: settings.timeZone } };
}

function readOrder({ settings, ...order }: WrittenOrder): StoreOrder {
  const { stored, timeZone } = settings;
  return {
    ...order,
    settings: { stored, timeZone, elections: electionsOf(stored, timeZone) },
    heldKey: null,
    audit: null,
  };
}

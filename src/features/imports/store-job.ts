import type { Job, JobWork } from '../../db/job-queue.ts';
import { releaseKey } from '../../http/queries.ts';
import { electionsOf, type StoredSettings } from '../transactions/elections.ts';
import type { StageScope } from '../transactions/rows/queries.ts';
import { hasStaged } from '../transactions/staged/queries.ts';
import { stagedLost } from '../transactions/store.ts';
import { giveUp } from './failed-import.ts';
import type { ImportDeps } from './import-deps.ts';
import { selectStoreOrder } from './orders/queries.ts';
import type { StoreOrder } from './store.ts';
import { storeStaged } from './storing.ts';

/** Stores files that had arrived completely when their requests were answered, on this server or one that took over. */
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
      // It was already stored, or it was deleted with its books.
      if (order === null) return;
      // A retry cannot recover it.
      if (!isStaged && order.staged.drafts > 0) await giveUpOrder(deps, scope, order, stagedLost());
      else await storeStaged(deps, readOrder(order), signal);
    },
    giveUp: async (job, error) => {
      const scope = scopeOf(job);
      const order = await deps.database.asTaxpayer(job.taxpayerId, (sql) => selectStoreOrder(sql, scope));
      await giveUpOrder(deps, scope, order as WrittenOrder | null, error);
    },
  };
}

async function giveUpOrder(
  deps: ImportDeps,
  scope: StageScope,
  order: WrittenOrder | null,
  cause: unknown,
): Promise<void> {
  await giveUp(deps, scope, cause, { isAnswered: false, dryRun: false });
  const heldKey = order?.heldKey ?? null;
  if (heldKey === null) return;
  await deps.database.asTaxpayer(scope.taxpayerId, (sql) => releaseKey(sql, heldKey.scope, heldKey.claim));
}

function scopeOf({ taxpayerId, id }: Job): StageScope {
  return { taxpayerId, importId: id };
}

/**
 * Omits everything that follows from the settings. `isAccepted`: a job stores it. Before that, the server with its
 * request does, or a job if that server crashes; the job then writes everything the request would have written, its
 * response and its audit entry.
 */
type WrittenOrder = Omit<StoreOrder, 'settings'> & {
  readonly settings: { readonly stored: StoredSettings; readonly timeZone: string };
  readonly isAccepted: boolean;
};

export function writtenOrder(order: StoreOrder, isAccepted: boolean): WrittenOrder {
  const { stored, timeZone } = order.settings;
  // An answered request has already saved its response.
  const answered = isAccepted ? { heldKey: null, audit: null } : {};
  return { ...order, ...answered, settings: { stored, timeZone }, isAccepted };
}

function readOrder({ settings, isAccepted: _, ...order }: WrittenOrder): StoreOrder {
  const { stored, timeZone } = settings;
  return { ...order, settings: { stored, timeZone, elections: electionsOf(stored, timeZone) } };
}

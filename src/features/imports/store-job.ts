import type { Job, JobWork } from '../../db/job-queue.ts';
import { releaseKey } from '../../http/queries.ts';
import { type StoredSettings, toElections } from '../transactions/elections.ts';
import type { StageScope } from '../transactions/rows/queries.ts';
import { hasStaged } from '../transactions/staged/queries.ts';
import { stagedLost } from '../transactions/store.ts';
import { giveUp } from './failed-import.ts';
import type { ImportDeps } from './import-deps.ts';
import { selectStoreRequest } from './orders/queries.ts';
import type { StoreRequest } from './store.ts';
import { storeStaged } from './storing.ts';

/** Stores files that had arrived completely when their requests were answered, on this server or one that took over. */
export function storingJobs(deps: ImportDeps): JobWork {
  return {
    perform: async (job, signal) => {
      const scope = scopeOf(job);
      const [request, isStaged] = await deps.database.asTaxpayer(
        job.taxpayerId,
        async (sql) =>
          [(await selectStoreRequest(sql, scope)) as SavedStoreRequest | null, await hasStaged(sql, scope)] as const,
        { readOnly: true },
      );
      // It was already stored, or it was deleted with its books.
      if (request === null) return;
      // A retry cannot recover it.
      if (!isStaged && request.staged.drafts > 0) await giveUpStoreRequest(deps, scope, request, stagedLost());
      else await storeStaged(deps, toStoreRequest(request), signal);
    },
    giveUp: async (job, error) => {
      const scope = scopeOf(job);
      const request = await deps.database.asTaxpayer(job.taxpayerId, (sql) => selectStoreRequest(sql, scope));
      await giveUpStoreRequest(deps, scope, request as SavedStoreRequest | null, error);
    },
  };
}

async function giveUpStoreRequest(
  deps: ImportDeps,
  scope: StageScope,
  request: SavedStoreRequest | null,
  cause: unknown,
): Promise<void> {
  await giveUp(deps, scope, cause, { isAnswered: false, dryRun: false });
  const heldKey = request?.heldKey ?? null;
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
type SavedStoreRequest = Omit<StoreRequest, 'settings'> & {
  readonly settings: { readonly stored: StoredSettings; readonly timeZone: string };
  readonly isAccepted: boolean;
};

export function toSavedStoreRequest(request: StoreRequest, isAccepted: boolean): SavedStoreRequest {
  const { stored, timeZone } = request.settings;
  // An answered request has already saved its response.
  const answered = isAccepted ? { heldKey: null, audit: null } : {};
  return { ...request, ...answered, settings: { stored, timeZone }, isAccepted };
}

function toStoreRequest({ settings, isAccepted: _, ...request }: SavedStoreRequest): StoreRequest {
  const { stored, timeZone } = settings;
  return { ...request, settings: { stored, timeZone, elections: toElections(stored, timeZone) } };
}

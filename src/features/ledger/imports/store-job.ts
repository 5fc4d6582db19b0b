import type { Job, JobWork } from '../../../db/job-queue.ts';
import { releaseKey } from '../../../http/queries.ts';
import { type StoredSettings, toElections } from '../transactions/elections.ts';
import type { StageScope } from '../transactions/rows/rows.queries.ts';
import { hasStaged } from '../transactions/staged/staged.queries.ts';
import { stagedLost } from '../transactions/store.ts';
import { removeFailed } from './failed-import.ts';
import type { ImportDeps } from './import-deps.ts';
import type { StoreRequest } from './store.ts';
import { selectStoreRequest } from './store-requests.queries.ts';
import { storeStaged } from './storing.ts';

/** Stores files after their requests were answered, either on this server or on one that took over. */
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
      // The import was already stored, or it was deleted with its books.
      if (request === null) return;
      // Gives up if the staged rows are lost, because a retry cannot recover them.
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
  await removeFailed(deps, scope, cause, { isAnswered: false, dryRun: false });
  const heldKey = request?.heldKey ?? null;
  if (heldKey === null) return;
  await deps.database.asTaxpayer(scope.taxpayerId, (sql) => releaseKey(sql, heldKey.scope, heldKey.claim));
}

function scopeOf({ taxpayerId, id }: Job): StageScope {
  return { taxpayerId, importId: id };
}

/**
 * A saved request to store an import, without data that can be derived from the settings. If `isAccepted` is true, the
 * request was answered and a job stores the import. Otherwise, the server that handles the request stores it, or a job
 * if that server crashes. That job also writes the response and the audit entry.
 */
type SavedStoreRequest = Omit<StoreRequest, 'settings'> & {
  readonly settings: { readonly stored: StoredSettings; readonly timeZone: string };
  readonly isAccepted: boolean;
};

export function toSavedStoreRequest(request: StoreRequest, isAccepted: boolean): SavedStoreRequest {
  const { stored, timeZone } = request.settings;
  // A request that was answered has already saved its response.
  const answered = isAccepted ? { heldKey: null, audit: null } : {};
  return { ...request, ...answered, settings: { stored, timeZone }, isAccepted };
}

function toStoreRequest({ settings, isAccepted: _, ...request }: SavedStoreRequest): StoreRequest {
  const { stored, timeZone } = settings;
  return { ...request, settings: { stored, timeZone, elections: toElections(stored, timeZone) } };
}

import { BlobError, type Deps } from '../../../deps.ts';
import { collectUnnamed, removeErased } from './collect.ts';
import { moveToBucket } from './move.ts';

const everyMinute = '* * * * *';
const eachNight = '20 4 * * *';

/**
 * Schedules the maintenance of the bucket, which runs on one server at a time. Moves new bytes there and removes
 * unreferenced objects.
 */
export function keepBlobs(deps: Deps): void {
  const { blobs } = deps;
  if (blobs === null) return;
  deps.jobs.schedule('blob-moves', {
    cron: everyMinute,
    perform: (signal) =>
      logErrors(deps, async () => {
        const moved = await moveToBucket(deps, blobs, signal);
        const removed = await removeErased(deps, blobs, signal);
        if (moved + removed > 0) deps.log.info('blobs moved', { moved, removed });
      }),
  });
  deps.jobs.schedule('blob-collections', {
    cron: eachNight,
    perform: (signal) =>
      logErrors(deps, async () => {
        const removed = await collectUnnamed(deps, blobs, signal);
        deps.log.info('blobs collected', { removed });
      }),
  });
}

/** Logs bucket errors. Everything stays in place until the next run. */
async function logErrors(deps: Deps, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof BlobError)) throw error;
    deps.log.error('blobs unavailable', error);
  }
}

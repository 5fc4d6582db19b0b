/**
 * Opens a Worker by its path below `src`, from source and out of the compiled binary alike. There the
 * modules are chunks at the root, and a Worker is an entrypoint of its own below it (scripts/build.ts).
 */
export function openWorker(path: WorkerPath, ref = false): Worker {
  const compiled = /\/(?:\$bunfs|~BUN)\//.test(import.meta.url);
  // `ref`: a Worker that has nothing to do must not keep a server alive; one that a command waits for must.
  return new Worker(new URL(`${compiled ? './' : '../'}${path}`, import.meta.url).href, {
    type: 'module',
    ref,
    smol: true,
  });
}

export type WorkerPath = `${'features' | 'commands'}/${string}-worker.ts`;

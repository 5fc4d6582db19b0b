/**
 * Opens a Worker by its path below `src`, from the sources or from the compiled binary. In the binary the modules are
 * chunks at the root, and each Worker is a separate entrypoint below the root (scripts/build.ts).
 */
export function openWorker(path: WorkerPath): Worker {
  const compiled = /\/(?:\$bunfs|~BUN)\//.test(import.meta.url);
  // `ref` would keep the process alive while the Worker runs.
  return new Worker(new URL(`${compiled ? './' : '../'}${path}`, import.meta.url).href, {
    type: 'module',
    ref: false,
    smol: true,
  });
}

export type WorkerPath = `features/${string}-worker.ts`;

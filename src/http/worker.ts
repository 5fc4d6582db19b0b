/**
 * Opens a Worker by its path below `src`, from the sources and from the compiled binary. In the binary the modules are
 * chunks at the root, and each Worker is an entrypoint of its own below it (scripts/build.ts).
 */
export function openWorker(path: WorkerPath, ref = false): Worker {
  const compiled = /\/(?:\$bunfs|~BUN)\//.test(import.meta.url);
  // `ref` keeps the process alive while the Worker runs: right for a command that waits for it, wrong for a server.
  return new Worker(new URL(`${compiled ? './' : '../'}${path}`, import.meta.url).href, {
    type: 'module',
    ref,
    smol: true,
  });
}

export type WorkerPath = `${'features' | 'commands'}/${string}-worker.ts`;

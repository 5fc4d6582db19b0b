/**
 * Opens the Worker that draws, from source and out of the compiled binary alike. There all modules but the entrypoints
 * are one file at the root, so that the Worker, an entrypoint of its own (scripts/build.ts), is found from there.
 */
export function openRenderWorker(): Worker {
  const compiled = /\/(?:\$bunfs|~BUN)\//.test(import.meta.url);
  const path = compiled ? './features/reports/render-worker.ts' : './render-worker.ts';
  // `ref`: a Worker that has nothing to do must not keep the process alive.
  return new Worker(new URL(path, import.meta.url).href, { type: 'module', ref: false });
}

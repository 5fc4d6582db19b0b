import type { Deps } from '../deps.ts';

/** From the first request to the last: what is under way, and that no more is taken. */
export interface Lifecycle {
  readonly draining: boolean;
  readonly inFlight: number;
  /** Aborts when draining begins: what would stay open by itself, an event stream, ends then. */
  readonly drained: AbortSignal;
  /** Counts a request until the returned function is called. */
  enter(): () => void;
  /** /readyz answers 503 from now on; resolves when nothing is under way any more, or after the deadline. */
  drain(deadlineSeconds: number): Promise<void>;
}

const lifecycles = new WeakMap<Deps, Lifecycle>();

/** The one lifecycle of an application: `main` drains it, `guard` counts by it, `/readyz` and event streams ask it. */
export function lifecycleOf(deps: Deps): Lifecycle {
  const known = lifecycles.get(deps);
  if (known !== undefined) return known;
  const lifecycle = openLifecycle();
  lifecycles.set(deps, lifecycle);
  return lifecycle;
}

function openLifecycle(): Lifecycle {
  const drained = new AbortController();
  const idle = Promise.withResolvers<void>();
  let inFlight = 0;
  return {
    get draining() {
      return drained.signal.aborted;
    },
    get inFlight() {
      return inFlight;
    },
    drained: drained.signal,
    enter() {
      inFlight += 1;
      let left = false;
      return () => {
        if (left) return;
        left = true;
        inFlight -= 1;
        if (inFlight === 0 && drained.signal.aborted) idle.resolve();
      };
    },
    async drain(deadlineSeconds) {
      drained.abort();
      if (inFlight === 0) return;
      const timer = setTimeout(idle.resolve, deadlineSeconds * 1000);
      await idle.promise;
      clearTimeout(timer);
    },
  };
}

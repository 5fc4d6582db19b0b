const secondsMax = 150;

/** Waits for an outcome. Fails only after minutes, so that a test also passes on a busy machine. */
export async function until(outcome: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + secondsMax * 1000; !(await holds()); await Bun.sleep(5)) {
    if (performance.now() > end) throw new Error(`Not within ${secondsMax} seconds: ${outcome}`);
  }
}

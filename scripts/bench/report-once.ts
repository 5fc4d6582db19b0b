import { RenderPool } from '../../src/features/gains/reports/render.ts';

/**
 * Renders one report up to twice in a separate process and prints the figures as JSON. The first run includes loading the
 * Worker. The frozen books come from a file, so building them does not count as memory for rendering.
 */
const [path = '', format = ''] = process.argv.slice(2);
const parts = ((await Bun.file(path).json()) as string[]).map((part) => Uint8Array.fromBase64(part));
const books = {
  taxpayerId: '',
  bytes: parts.reduce((sum, part) => sum + part.length, 0),
  readParts: () => Promise.resolve(parts),
};
const pool = new RenderPool();
const never = new AbortController().signal;

async function draw(): Promise<{ seconds: number; bytes: number }> {
  const started = performance.now();
  const { body } = await pool.render({ format, stamp: { revision: '1', asOf: '2024-12-31' }, ...books }, never);
  let bytes = 0;
  for await (const piece of body) bytes += piece.length;
  return { seconds: (performance.now() - started) / 1000, bytes };
}

// The system's maximum would include memory that the parent held when it started this process.
let [pause, peak, last] = [0, 0, performance.now()];
setInterval(() => {
  pause = Math.max(pause, performance.now() - last);
  peak = Math.max(peak, process.memoryUsage().rss);
  last = performance.now();
}, 5);
const first = await draw();
// Measured for one report because the system gets back only part of the first report's memory before the second one is
// rendered.
const peakOfOne = peak;
// Renders only once if the first run took five seconds or more.
const { seconds } = first.seconds < 5 ? await draw() : first;
console.log(JSON.stringify({ ...first, cold: first.seconds, seconds, peak: peakOfOne, pause: pause / 1000 }));
process.exit(0);

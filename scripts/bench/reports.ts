import { freeze } from '../../src/features/reports/frozen.ts';
import { RenderPool } from '../../src/features/reports/render.ts';
import { plainBooks } from '../../test/reports/plain-books.ts';
import type { Measured } from './measure.ts';

const lines = 10_000;

/** Books of ten thousand lines: kept with the report, and drawn as Form 8949. */
export async function benchReports(): Promise<Measured[]> {
  const { parts } = await freeze(plainBooks(lines));
  const kept = parts.reduce((sum, part) => sum + part.length, 0);
  const started = performance.now();
  const stamp = { revision: '1', asOf: '2024-12-31' };
  const { body } = await new RenderPool().render({ format: '8949', stamp, parts }, new AbortController().signal);
  const drawn = await new Response(body).arrayBuffer();
  return [
    { what: 'Form 8949 of 10,000 lines, drawn in a Worker', value: (performance.now() - started) / 1000, unit: 's' },
    { what: 'its size', value: drawn.byteLength / 1_000_000, unit: 'MB' },
    { what: 'the books kept with it', value: kept / 1_000_000, unit: 'MB' },
  ];
}

import { testDatabase } from '../../test/support/database.ts';
import { type Measured, measureSeconds, readMemory } from './measure.ts';
import { serveApp } from './served.ts';
import { tradesCsv } from './trades.ts';

const megabytes = Number(process.env.BENCH_NOTES_MB ?? 300);
const noteCharacters = 9_000;

/** Imports a file with few rows and long notes. Memory must not grow with the size of the notes. */
export async function benchNotes(): Promise<Measured[]> {
  const books = await testDatabase();
  const served = await serveApp(books.url);
  try {
    await served.importCsv(await served.register('PRO'), tradesCsv(20_000));
    const before = readMemory(served.pid, 'VmHWM');
    const writer = await served.register('PRO');
    const seconds = await measureSeconds(() => served.importCsv(writer, notesCsv()));
    const what = `a file of ${megabytes} MB, most of it notes`;
    return [
      { what: `${what}: MB a second`, value: megabytes / seconds, unit: 'MB/s' },
      { what: `${what}: memory of the server at its peak`, value: readMemory(served.pid, 'VmHWM'), unit: 'MB' },
      { what: 'memory before, after an import of 20,000 trades', value: before, unit: 'MB' },
    ];
  } finally {
    await served.stop();
    await books.drop();
  }
}

function notesCsv(): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const rows = Math.floor((megabytes * 1_000_000) / noteCharacters);
  let row = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const lines = row === 0 ? ['date,type,account,asset,quantity,amount,fee,note'] : [];
      for (const end = Math.min(row + 50, rows); row < end; row++) {
        const day = new Date(Date.UTC(2021, 0, 1) + Math.floor((row / rows) * 1460) * 86_400_000);
        const note = `why I bought it, ${row}: `.repeat(noteCharacters / 20).slice(0, noteCharacters);
        lines.push(`${day.toISOString().slice(0, 10)},buy,Broker,S${row % 20},1,${100 + (row % 90)},0,"${note}"`);
      }
      controller.enqueue(encoder.encode(`${lines.join('\n')}\n`));
      if (row >= rows) controller.close();
    },
  });
}

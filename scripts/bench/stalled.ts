import { connect, type Socket } from 'node:net';
import { testDatabase } from '../../test/support/database.ts';
import { type Measured, memoryOf } from './measure.ts';
import { serveApp } from './served.ts';
import { tradesCsv } from './trades.ts';

/** Their CSV has about 15 MB. */
const rows = 200_000;
const downloads = 8;
const settledSeconds = 5;

/** The memory that downloads hold whose readers take nothing, as behind a phone that lost its network. */
export async function benchStalled(): Promise<Measured[]> {
  const books = await testDatabase();
  const served = await serveApp(books.url);
  const sockets: Socket[] = [];
  try {
    const cookie = await served.register('PRO');
    await served.importCsv(cookie, tradesCsv(rows));
    const path = '/v1/transactions/export';
    // One that is read to its end warms up what all others use too.
    const whole = await fetch(`${served.url}${path}`, { headers: { cookie } });
    const bytes = (await whole.arrayBuffer()).byteLength;
    await Bun.sleep(settledSeconds * 1000);
    const before = memoryOf(served.pid, 'VmRSS');
    for (let turn = 0; turn < downloads; turn++) sockets.push(await stalledDownload(served.url, path, cookie));
    await Bun.sleep(settledSeconds * 1000);
    const held = memoryOf(served.pid, 'VmRSS') - before;
    return [
      { what: 'a download of all transactions', value: bytes / 1_000_000, unit: 'MB' },
      { what: `memory that ${downloads} of them add whose readers take nothing`, value: held, unit: 'MB' },
    ];
  } finally {
    for (const socket of sockets) socket.destroy();
    await served.stop();
    await books.drop();
  }
}

/** Reads what comes first, and then no more. */
function stalledDownload(url: string, path: string, cookie: string): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect(Number(port), hostname, () => {
    socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookie}\r\n\r\n`);
  });
  socket.once('error', reject);
  socket.once('data', (first) => {
    socket.pause();
    const status = first.toString('latin1', 0, 15);
    if (status.startsWith('HTTP/1.1 200')) resolve(socket);
    else reject(new Error(`The download answered ${status}.`));
  });
  return promise;
}

import { connect, type Socket } from 'node:net';
import { testDatabase } from '../../test/support/database.ts';
import { s3Keys, s3Server } from '../../test/support/s3-server.ts';
import { type Measured, readMemory } from './measure.ts';
import { program, type Served, serveApp } from './served.ts';
import { tradesCsv } from './trades.ts';

/** The CSV of these rows is about 15 MB. */
const rows = 200_000;
const downloads = 8;
const settledSeconds = 5;

/**
 * Measures the memory of downloads whose readers stop reading, like a phone that lost its network. Downloads all
 * transactions, and an imported file in PostgreSQL and then in a bucket.
 */
export async function benchStalled(): Promise<Measured[]> {
  const books = await testDatabase();
  const service = s3Server();
  const env = {
    BLOBS_TO: 's3://bench/files',
    S3_ENDPOINT: service.endpoint,
    S3_ACCESS_KEY_ID: s3Keys.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
  };
  // A server with a bucket moves the file there within a minute.
  let served = await serveApp(books.url);
  try {
    const cookie = await served.register('PRO');
    await served.importCsv(cookie, tradesCsv(rows));
    const file = await filePath(served, cookie);
    const stored = [
      ...(await held(served, '/v1/transactions/export', cookie, 'of all transactions')),
      ...(await held(served, file, cookie, 'of an imported file')),
    ];
    await served.stop();
    const move = Bun.spawn([process.execPath, program, 'blobs', 'move', 'bucket'], {
      env: { ...process.env, ...env, DATABASE_URL: books.url },
      stdout: 'ignore',
      stderr: 'inherit',
    });
    if ((await move.exited) !== 0) throw new Error('The file was not moved to the bucket.');
    served = await serveApp(books.url, env);
    return [...stored, ...(await held(served, file, cookie, 'of the file in a bucket'))];
  } finally {
    await served.stop();
    await service.close();
    await books.drop();
  }
}

async function filePath(served: Served, cookie: string): Promise<string> {
  const response = await fetch(`${served.url}/v1/imports`, { headers: { cookie } });
  const { data } = (await response.json()) as { data: readonly { id: string }[] };
  return `/v1/imports/${data[0]?.id}/file`;
}

async function held(served: Served, path: string, cookie: string, what: string): Promise<Measured[]> {
  const sockets: Socket[] = [];
  try {
    // One complete download warms up the shared code.
    const whole = await fetch(`${served.url}${path}`, { headers: { cookie } });
    const bytes = (await whole.arrayBuffer()).byteLength;
    await Bun.sleep(settledSeconds * 1000);
    const before = readMemory(served.pid, 'VmRSS');
    for (let turn = 0; turn < downloads; turn++) sockets.push(await stalledDownload(served.url, path, cookie));
    await Bun.sleep(settledSeconds * 1000);
    const added = readMemory(served.pid, 'VmRSS') - before;
    return [
      { what: `a download ${what}`, value: bytes / 1_000_000, unit: 'MB' },
      { what: `memory that ${downloads} ${what} add whose readers stop reading`, value: added, unit: 'MB' },
    ];
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** Reads the first bytes and then stops reading. */
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
    else reject(new Error(`The download returned ${status}.`));
  });
  return promise;
}

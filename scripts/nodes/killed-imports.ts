import { nameRowsAlike } from '../../test/support/database.ts';
import { newcomer, selectBooks } from '../../test/support/kills/held-storing.ts';
import { generator, tradesCsv } from '../bench/trades.ts';
import type { Server } from './database.ts';
import { type Node, untilReady } from './node.ts';
import type { Options } from './options.ts';

/** A node stores a few rows on its own thread, and many rows in a Worker. A tenth of the imports are large. */
const [few, many] = [2_000, 21_000];
const tries = 200;

/** The number of imports in progress on a node when it is killed. */
const atOnce = 8;

interface Expected {
  readonly books: string;
  readonly milliseconds: number;
}

/**
 * Kills the node with imports in progress at a random moment, and immediately sends each file with the same key to
 * another node until that node responds. The books must then equal those from one import.
 */
export async function killImports(nodes: readonly Node[], database: Server, options: Options): Promise<boolean> {
  await nameRowsAlike(database);
  const random = generator(options.seed);
  const expected = new Map<number, Expected>();
  for (const rows of [few, many]) expected.set(rows, await storedWhole(nodes[0] as Node, database, rows));
  let wrong = 0;
  for (let killed = 0; killed < options.kills; killed += atOnce) {
    const turn = killed / atOnce;
    const [node, other] = [nodes[turn % nodes.length] as Node, nodes[(turn + 1) % nodes.length] as Node];
    const rows = turn % 10 === 9 ? many : few;
    const { books = '', milliseconds = 0 } = expected.get(rows) ?? {};
    await untilReady(nodes);
    const people = await Promise.all(
      Array.from({ length: atOnce }, (_, at) => newcomer(database, other, `killed${killed + at}@example.com`)),
    );
    // Together they take about as long as the same number in sequence.
    const sent = people.map(({ cookie }, at) => upload(node, cookie, rows, 'key', at % 2 === 1).catch(() => false));
    await Bun.sleep(random() * milliseconds * atOnce);
    await node.kill();
    await Promise.all(sent);
    node.start();
    await Promise.all(people.map(({ cookie }, at) => untilAnswered(other, cookie, rows, at % 2 === 1)));
    for (const [at, { id }] of people.entries()) {
      if ((await selectBooks(database, id)) === books && (await countCompleted(database, id)) === 1) continue;
      wrong += 1;
      console.log(`WRONG import ${killed + at}: ${await countCompleted(database, id)} completed, books not exact`);
    }
    console.log(`  ${killed + atOnce} killed`);
  }
  console.log(`${options.kills} imports whose node was killed, each sent again to another: ${wrong} wrong`);
  return wrong === 0;
}

/** Returns the books after an undisturbed import. */
async function storedWhole(node: Node, database: Server, rows: number): Promise<Expected> {
  const { id, cookie } = await newcomer(database, node, `clean${rows}@example.com`);
  const begun = performance.now();
  await upload(node, cookie, rows, 'clean', false);
  return { books: await selectBooks(database, id), milliseconds: performance.now() - begun };
}

async function untilAnswered(node: Node, cookie: string, rows: number, isLater: boolean): Promise<void> {
  for (let left = tries; left > 0; left--) {
    if (await upload(node, cookie, rows, 'key', isLater).catch(() => false)) return;
    await Bun.sleep(500);
  }
  throw new Error('Another node did not respond to an import.');
}

/** Returns true once the file is stored. */
async function upload(node: Node, cookie: string, rows: number, key: string, isLater: boolean): Promise<boolean> {
  const prefer = isLater ? { prefer: 'respond-async' } : {};
  const response = await node.request('POST', '/v1/transactions/import', {
    headers: { cookie, 'content-type': 'text/csv', 'idempotency-key': key, ...prefer },
    body: tradesCsv(rows),
  });
  const { id } = (await response.json()) as { readonly id?: string };
  for (let left = tries; isLater && response.status === 202 && left > 0; left--) {
    const response = await node.request('GET', `/v1/imports/${id}`, { headers: { cookie } });
    const { status } = (await response.json()) as { readonly status: string };
    if (status !== 'running') return status === 'completed';
    await Bun.sleep(500);
  }
  return response.status === 201;
}

async function countCompleted({ pool }: Server, taxpayerId: string): Promise<number> {
  const [row] = await pool<{ completed: number }[]>`
    select count(*)::integer as completed from imports where taxpayer_id = ${taxpayerId} and status = 'completed'`;
  return row?.completed ?? 0;
}

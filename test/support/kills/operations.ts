import { join } from 'node:path';
import { tradesCsv } from '../../../scripts/bench/trades.ts';
import { lotbook } from '../process.ts';
import type { Ground, Person } from './ground.ts';

/** The outcome of an operation. `again` means that it was refused for a temporary reason. */
export interface Outcome {
  readonly is: 'done' | 'again';
  readonly text: string;
}

/** An operation in progress. */
export interface UnderWay {
  readonly answer: Promise<Outcome>;
  /** Set for an operation that is a command. */
  readonly process?: Bun.Subprocess;
}

export interface KilledOperation {
  readonly name: string;
  /** How many of about a hundred kills it gets. */
  readonly weight: number;
  readonly isCommand: boolean;
  /** True if it accepts an Idempotency-Key. A second request with the same key must have the same result. */
  readonly isKeyed: boolean;
  /**
   * An import that was accepted but not stored yet is in an unlogged table, which a PostgreSQL crash empties. The
   * import then fails and reports the failure.
   */
  readonly mayFailLater?: true;
  /** Prepares the books of a new user for the operation, and returns a function that starts it. */
  prepare(ground: Ground, person: Person): Promise<(key: string) => UnderWay>;
}

/** Few rows are stored on the server's own thread, many in a Worker (`imports/storing.ts`). */
const [few, many] = [1_000, 21_000];
const year = 2023;
const rows = tradesCsv(few);
const manyRows = tradesCsv(many);
const laterRows = tradesCsv(few / 2).replaceAll('Broker', 'Other broker');

export const operations: readonly KilledOperation[] = [
  overHttp('import of 1,000 rows', 12, async () => importOf(rows), { isKeyed: true }),
  overHttp('import of 1,000 rows, answered before', 6, async () => importOf(rows, true), {
    isKeyed: true,
    mayFailLater: true,
  }),
  overHttp('import of 21,000 rows in a Worker', 3, async () => importOf(manyRows), { isKeyed: true }),
  overHttp('edit of a row', 10, async (ground, person) => patchOf(await firstRow(ground, person))),
  overHttp(
    'edit of 100 rows',
    6,
    async (ground, person) => {
      await done(ground, person, importOf(rows));
      const ids = (await listRows(ground, person, 100)).map(({ id }) => id);
      return { method: 'POST', path: '/v1/transactions/bulk', body: { ids, set: { fee: '1.25' } } };
    },
    { isKeyed: true },
  ),
  overHttp('undo of an edit', 6, async (ground, person) => {
    await done(ground, person, patchOf(await firstRow(ground, person)));
    const edits = await done(ground, person, { method: 'GET', path: '/v1/transactions/edits' });
    return { method: 'POST', path: `/v1/transactions/edits/${(JSON.parse(edits) as Listed).data[0]?.id}/undo` };
  }),
  overHttp('undo of an import', 10, async (ground, person) => {
    await done(ground, person, importOf(rows));
    const { id } = JSON.parse(await done(ground, person, importOf(laterRows))) as { readonly id: string };
    return { method: 'DELETE', path: `/v1/imports/${id}` };
  }),
  overHttp(
    'calculation',
    7,
    async (ground, person) => {
      await done(ground, person, importOf(rows));
      return { method: 'POST', path: '/v1/tax/calculate', body: {} };
    },
    { isKeyed: true },
  ),
  overHttp(
    'calculation, answered before',
    4,
    async (ground, person) => {
      await done(ground, person, importOf(rows));
      return { method: 'POST', path: '/v1/tax/calculate', body: {}, isLater: true };
    },
    { isKeyed: true },
  ),
  overHttp('lock of a year', 6, async (ground, person) => {
    await done(ground, person, importOf(rows));
    return lockOf('lock');
  }),
  overHttp('unlock of a year', 4, async (ground, person) => {
    await done(ground, person, importOf(rows));
    await done(ground, person, lockOf('lock'));
    return lockOf('unlock');
  }),
  overHttp(
    'report for a year',
    9,
    async (ground, person) => {
      await done(ground, person, importOf(rows));
      return { method: 'POST', path: '/v1/tax/reports', body: { year } };
    },
    { isKeyed: true },
  ),
  {
    name: 'import of an account archive',
    weight: 7,
    isCommand: true,
    isKeyed: false,
    prepare: async (ground, { email }) => {
      const archive = await fetchArchive(ground);
      return () => {
        const process = spawnCommand(ground, ['import-archive', archive, email]);
        return { process, answer: answerOfCommand(process) };
      };
    },
  },
];

interface RequestInput {
  readonly method: string;
  readonly path: string;
  /** CSV as text, or JSON. */
  readonly body?: string | object;
  readonly isLater?: boolean;
}

interface Listed {
  readonly data: readonly { readonly id: string }[];
}

function overHttp(
  name: string,
  weight: number,
  prepare: (ground: Ground, person: Person) => Promise<RequestInput>,
  more: Partial<Pick<KilledOperation, 'isKeyed' | 'mayFailLater'>> = {},
): KilledOperation {
  return {
    name,
    weight,
    isCommand: false,
    isKeyed: false,
    ...more,
    prepare: async (ground, person) => {
      const input = await prepare(ground, person);
      return (key) => ({ answer: readOutcome(ask(ground, person, input, key)) });
    },
  };
}

function importOf(csv: string, isLater = false): RequestInput {
  return { method: 'POST', path: '/v1/transactions/import', body: csv, isLater };
}

function patchOf(id: string): RequestInput {
  return { method: 'PATCH', path: `/v1/transactions/${id}`, body: { amount: '1234.56' } };
}

function lockOf(action: 'lock' | 'unlock'): RequestInput {
  return { method: 'POST', path: `/v1/tax/years/${year}/${action}` };
}

/** Returns the oldest row after an import. All results depend on it. */
async function firstRow(ground: Ground, person: Person): Promise<string> {
  await done(ground, person, importOf(rows));
  const listed = await listRows(ground, person, 1);
  return listed[0]?.id ?? '';
}

async function listRows(ground: Ground, person: Person, limit: number): Promise<Listed['data']> {
  const response = await ask(ground, person, { method: 'GET', path: `/v1/transactions?limit=${limit}` });
  return ((await response.json()) as Listed).data;
}

export function ask(ground: Ground, { cookie }: Person, input: RequestInput, key?: string): Promise<Response> {
  const { method, path, body, isLater } = input;
  const mediaType =
    typeof body === 'string' ? 'text/csv' : method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  return ground.request(method, path, {
    headers: {
      cookie,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(isLater === true ? { prefer: 'respond-async' } : {}),
      ...(body === undefined ? {} : { 'content-type': mediaType }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

/** Sends a request, expects success and returns the body. */
export async function done(ground: Ground, person: Person, input: RequestInput): Promise<string> {
  const outcome = await readOutcome(ask(ground, person, input));
  if (outcome.is !== 'done') throw new Error(`${input.method} ${input.path}: ${outcome.text}`);
  return outcome.text;
}

async function readOutcome(pending: Promise<Response>): Promise<Outcome> {
  const response = await pending.catch(() => null);
  const text = await response?.text().catch(() => null);
  if (response === null || text === null || text === undefined) return { is: 'again', text: 'no answer' };
  if (response.ok) return { is: 'done', text };
  if (response.status === 503 || (response.status === 409 && text.includes('in_flight'))) return { is: 'again', text };
  throw new Error(`answered ${response.status}: ${text.slice(0, 300)}`);
}

/** Returns the export of a user's account, which is made once. */
async function fetchArchive(ground: Ground): Promise<string> {
  const path = join(ground.folder.path, 'account.zip');
  if (await Bun.file(path).exists()) return path;
  const person = await ground.register();
  await done(ground, person, importOf(rows));
  await done(ground, person, patchOf((await listRows(ground, person, 1))[0]?.id ?? ''));
  await done(ground, person, lockOf('lock'));
  await done(ground, person, { method: 'POST', path: '/v1/tax/reports', body: { year } });
  const response = await ask(ground, person, { method: 'GET', path: '/v1/account/export' });
  if (!response.ok) throw new Error(`export: ${response.status} ${await response.text()}`);
  await Bun.write(path, response);
  return path;
}

/** Runs a Lotbook command in the test server's data folder. */
export function spawnCommand(
  ground: Pick<Ground, 'folder'>,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Bun.Subprocess<'ignore', 'pipe', 'pipe'> {
  const { PATH = '', HOME = '' } = process.env;
  return Bun.spawn([...lotbook, ...args], {
    cwd: ground.folder.path,
    env: { PATH, HOME, DATA_DIR: join(ground.folder.path, 'data'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function answerOfCommand(command: Bun.Subprocess<'ignore', 'pipe', 'pipe'>): Promise<Outcome> {
  const [text, code] = await Promise.all([new Response(command.stderr).text(), command.exited]);
  return code === 0 ? { is: 'done', text } : { is: 'again', text };
}

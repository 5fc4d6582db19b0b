import { type Ask, type Attempted, attempt, codeOf, type Patience, type Reply, type Timetable } from './client.ts';
import type { Figures, MadeFile, Operation } from './history.ts';
import { formatRowsCsv, generateRows } from './made-rows.ts';
import { Stream } from './stream.ts';

/** Shared by all users in a run. */
export interface Office {
  readonly times: Timetable;
  record(operation: Operation): void;
  /** Removes the limits of a free account, as an operator can. */
  upgrade(email: string): Promise<void>;
}

export const years = [2023, 2024] as const;
/** A broken stream has reconnected by then. */
const streamWaitsMax = 60;
/** The maximum number of rows on a page. A whole list is compared with the model, so no user stores more. */
const pageMax = 1_000;
const largeFileRows = 300;
/**
 * A user with more rows than this imports no more files. The margin covers rows entered singly, and files whose
 * response was lost.
 */
const storedMax = 500;
const password = 'correct horse battery';
/** Several minutes, which is longer than any fault lasts. */
const attemptsMax = 150;
const lasting: Patience = { again: (attempts) => attempts < attemptsMax };

/** A file in the books, with its import. */
interface Filed {
  readonly file: MadeFile;
  readonly importId: string;
}

/** A user with an account who does one operation after another. */
export class Person {
  readonly email: string;
  stream: Stream | null = null;
  #cookie = '';
  #serial = 0;
  #files: Filed[] = [];
  /** Listed rows with their ids in the service. */
  #listed = new Map<string, string>();

  constructor(
    readonly name: string,
    private readonly office: Office,
    private readonly random: () => number,
  ) {
    this.email = `${name}@example.com`;
  }

  get headers(): Readonly<Record<string, string>> {
    return this.#cookie === '' ? {} : { cookie: this.#cookie };
  }

  /** Waits until there is an account with a session. */
  async register(): Promise<void> {
    const body = JSON.stringify({ email: this.email, password });
    const isDone = (status: number): boolean => status === 409;
    const done = await this.#try({ method: 'POST', path: '/v1/auth/register', body }, { ...lasting, isDone });
    this.#record(done, { kind: 'register' });
    if (done.outcome !== 'ok')
      throw new Error(`${this.email}: ${done.reply?.status} ${JSON.stringify(done.reply?.body)}`);
    if (done.reply?.status !== 201 || !this.#takeCookie(done.reply)) await this.signIn();
    await this.office.upgrade(this.email);
    this.stream = new Stream(this.headers);
  }

  /** A registered user can sign in from another browser. Their current session continues. */
  async signIn(): Promise<void> {
    this.#cookie = '';
    const body = JSON.stringify({ email: this.email, password });
    const done = await this.#try({ method: 'POST', path: '/v1/auth/login', body }, lasting);
    this.#record(done, { kind: 'sign-in' });
    if (done.outcome !== 'ok') throw new Error(`${this.email} cannot sign in: ${done.reply?.status}`);
    this.#takeCookie(done.reply);
  }

  /** Does a random operation. */
  async act(): Promise<void> {
    const stored = this.#files.reduce((rows, { file }) => rows + file.rows, 0);
    const chance = this.random();
    if (stored === 0 || (chance < 0.2 && stored < storedMax)) return this.importFile();
    if (chance < 0.3) return this.enter();
    if (chance < 0.5) return this.correct();
    if (chance < 0.62 || stored >= storedMax) return this.undo();
    if (chance < 0.7) return this.list();
    if (chance < 0.76) return this.report(this.#year());
    if (chance < 0.82) return this.askAssistant();
    if (chance < 0.85) return this.readAccount();
    return this.summary(this.#year());
  }

  async importFile(): Promise<void> {
    const large = this.random() < 0.1;
    const file = this.#nextFile(large ? largeFileRows : 5 + Math.floor(this.random() * 60));
    const key = crypto.randomUUID();
    const later = this.random() < 0.3;
    const headers = { 'idempotency-key': key, ...(later ? { prefer: 'respond-async' } : {}) };
    const ask = {
      method: 'POST',
      path: '/v1/transactions/import',
      body: formatRowsCsv(generateRows(file)),
      headers,
    } as const;
    const patience = this.#patience();
    const sent = await this.#try({ ...ask, mediaType: 'text/csv' }, patience);
    const { id } = (sent.reply?.body ?? {}) as { readonly id?: string };
    const done = sent.reply?.status === 202 ? await this.#untilStored(sent, id ?? '') : sent;
    const isOk = done.outcome === 'ok' && id !== undefined;
    this.#record(done, { kind: 'import', file, key, ...(isOk ? { answer: id } : {}) });
    if (!isOk) return;
    this.#files.push({ file, importId: id });
    // Some users repeat a request that already has a response, which the server then replays.
    if (!later && this.random() < 0.1) {
      const again = await this.#try({ ...ask, mediaType: 'text/csv' }, patience);
      const answer = (again.reply?.body as { readonly id?: string } | undefined)?.id ?? '';
      this.#record(again, { kind: 'import', file, key, ...(again.outcome === 'ok' ? { answer } : {}) });
    }
  }

  /** An accepted import ends, even if the node that accepted it was killed. */
  async #untilStored(sent: Attempted, id: string): Promise<Attempted> {
    for (;;) {
      const asked = await this.#try({ method: 'GET', path: `/v1/imports/${id}` }, lasting);
      const { status } = (asked.reply?.body ?? {}) as { readonly status?: string };
      const found = { start: sent.start, end: asked.end, attempts: sent.attempts, reply: asked.reply };
      if (status === 'completed') return { ...found, outcome: 'ok' };
      if (status !== 'running') return { ...found, outcome: 'refused' };
      await Bun.sleep(300);
    }
  }

  async enter(): Promise<void> {
    const file = this.#nextFile(1);
    const [row] = generateRows(file);
    if (row === undefined) return;
    const { id, ...members } = row;
    const key = crypto.randomUUID();
    const body = JSON.stringify({ ...members, account: 'Broker', assetClass: 'stock', externalId: id });
    const ask: Ask = { method: 'POST', path: '/v1/transactions', body, headers: { 'idempotency-key': key } };
    const done = await this.#try(ask, this.#patience());
    const { id: answer } = (done.reply?.body ?? {}) as { readonly id?: string };
    const isOk = done.outcome === 'ok' && answer !== undefined;
    this.#record(done, { kind: 'enter', file, key, ...(isOk ? { answer } : {}) });
  }

  async correct(): Promise<void> {
    const known = [...this.#listed];
    const [row, id] = known[Math.floor(this.random() * known.length)] ?? [];
    if (row === undefined) return this.list();
    const amount = (100 + this.random() * 1_000).toFixed(2);
    const body = JSON.stringify({ amount });
    const ask: Ask = {
      method: 'PATCH',
      path: `/v1/transactions/${id}`,
      body,
      mediaType: 'application/merge-patch+json',
    };
    this.#record(await this.#try(ask, this.#patience()), { kind: 'edit', row, amount });
  }

  async undo(): Promise<void> {
    const [filed] = this.#files.splice(Math.floor(this.random() * this.#files.length), 1);
    if (filed === undefined) return;
    const { file, importId } = filed;
    const isDone = (status: number): boolean => status === 404;
    const done = await this.#try(
      { method: 'DELETE', path: `/v1/imports/${importId}` },
      { ...this.#patience(), isDone },
    );
    this.#record(done, { kind: 'undo', file: file.name });
    for (const row of generateRows(file)) this.#listed.delete(row.id);
  }

  async summary(year: number): Promise<void> {
    const done = await this.#read(`/v1/tax/summary?year=${year}`);
    const figures = done.reply?.body as Figures & { readonly revision: string };
    const read = { kind: 'summary', year } as const;
    this.#record(done, done.outcome === 'ok' ? { ...read, figures, revision: figures.revision } : read);
  }

  async list(): Promise<void> {
    const done = await this.#read(`/v1/transactions?limit=${pageMax}`);
    if (done.outcome !== 'ok') return this.#record(done, { kind: 'list' });
    const { data = [] } = (done.reply?.body ?? {}) as { readonly data?: readonly ListedRow[] };
    if (data.length === pageMax) throw new Error(`${this.name} has more rows than one page shows.`);
    this.#listed = new Map(data.map((row) => [row.source.externalId ?? '', row.id]));
    const rows = data.map(({ source, amount }) => `${source.externalId} ${Number(amount).toFixed(2)}`).sort();
    this.#record(done, { kind: 'list', rows });
  }

  /** A report shows one state of the books, from some moment before it was ready. */
  async report(year: number): Promise<void> {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const ask: Ask = { method: 'POST', path: '/v1/tax/reports', body: JSON.stringify({ year }), headers };
    const made = await this.#try(ask, lasting);
    const { id, revision = '' } = (made.reply?.body ?? {}) as { readonly id?: string; readonly revision?: string };
    const read = { kind: 'report', year } as const;
    if (made.outcome !== 'ok') return this.#record(made, read);
    const path = `/v1/tax/reports/${id}/download?format=json`;
    const { outcome, reply } = await this.#try({ method: 'GET', path }, lasting);
    const { summary } = (reply?.body ?? {}) as { readonly summary?: Figures };
    this.#record({ ...made, outcome }, summary === undefined ? read : { ...read, revision, figures: summary });
  }

  async askAssistant(): Promise<void> {
    const body = JSON.stringify({ content: `What is my total gain of ${this.#year()}?` });
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const done = await this.#try({ method: 'POST', path: '/v1/ai/messages', body, headers }, this.#patience());
    this.#record(done, { kind: 'assistant' });
  }

  async readAccount(): Promise<void> {
    this.#record(await this.#read('/v1/account'), { kind: 'account' });
  }

  /**
   * Returns how the full calculation from the first row differs from the stored figures, or null if it does not differ.
   */
  async calculate(): Promise<string | null> {
    const done = await this.#try({ method: 'POST', path: '/v1/tax/calculate', body: '{}' }, lasting);
    const { differences } = (done.reply?.body ?? {}) as { readonly differences?: readonly unknown[] };
    return done.outcome === 'ok' && differences?.length === 0
      ? null
      : `${this.name}: the calculation differs: ${done.reply?.status} ${JSON.stringify(differences ?? done.reply?.body)}`;
  }

  /** Returns the notifications in the feed that the stream missed or repeated. */
  async missedNotifications(): Promise<string | null> {
    const done = await this.#read('/v1/notifications?limit=1000');
    const { data = [] } = (done.reply?.body ?? {}) as { readonly data?: readonly { readonly id: string }[] };
    const wanted = data.map(({ id }) => id).reverse();
    const got = this.stream?.events ?? [];
    for (let waits = 0; waits < streamWaitsMax && got.length < wanted.length; waits++) await Bun.sleep(500);
    this.stream?.end();
    const isSame = got.length === wanted.length && got.every((id, at) => id === wanted[at]);
    return isSame ? null : `${this.name}: the feed has ${wanted.join(' ')}, the stream brought ${got.join(' ')}`;
  }

  #year(): number {
    return years[this.random() < 0.5 ? 0 : 1];
  }

  #nextFile(rows: number): MadeFile {
    this.#serial += 1;
    return { name: `${this.name}-${this.#serial}`, number: this.#serial, rows };
  }

  #read(path: string): Promise<Attempted> {
    return this.#try({ method: 'GET', path }, lasting);
  }

  /** Most users retry until they get a conclusive response. Some close the page as soon as something goes wrong. */
  #patience(): Patience {
    const isLasting = this.random() < 0.9;
    return isLasting ? lasting : { again: () => false };
  }

  #try(ask: Ask, patience: Patience): Promise<Attempted> {
    return attempt({ ...ask, headers: { ...this.headers, ...ask.headers } }, this.office.times, patience);
  }

  #record({ start, end, attempts, outcome, reply }: Attempted, more: Recorded): void {
    const code = outcome === 'ok' ? {} : { code: codeOf(reply) };
    const asked = { user: this.name, start, end, attempts, outcome, status: reply?.status ?? 0, ...code };
    this.office.record({ ...asked, ...more } as Operation);
  }

  #takeCookie(reply: Reply | null): boolean {
    const [line = ''] = reply?.headers.getSetCookie() ?? [];
    this.#cookie = line.split(';')[0] ?? '';
    return this.#cookie !== '';
  }
}

interface ListedRow {
  readonly id: string;
  readonly amount: string;
  readonly source: { readonly externalId: string | null };
}

type Recorded = Operation extends infer One ? (One extends Operation ? Omit<One, keyof Timed> : never) : never;
type Timed = Pick<Operation, 'user' | 'start' | 'end' | 'attempts' | 'outcome' | 'status'>;

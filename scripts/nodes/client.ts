import { balancerUrl } from './node.ts';

/** One response. Null if the connection was cut or nothing arrived in time. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface Ask {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: string;
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The outcome of an operation after all its attempts. */
export interface Attempted {
  readonly start: number;
  readonly end: number;
  readonly attempts: number;
  readonly outcome: 'ok' | 'refused' | 'unknown';
  readonly reply: Reply | null;
}

export interface Patience {
  /** Returns whether to retry after an attempt with an unknown outcome. */
  readonly again: (attempts: number) => boolean;
  /** Returns whether an error response means that an earlier attempt succeeded. */
  readonly isDone?: (status: number) => boolean;
}

/** Longer than a node waits for another request by the same taxpayer. */
const responseMilliseconds = 70_000;
const [pauseMilliseconds, pauseMillisecondsMax] = [200, 2_000];

/** Sends a request until a response is conclusive or time runs out. */
export async function attempt(ask: Ask, times: Timetable, { again, isDone }: Patience): Promise<Attempted> {
  const start = performance.now();
  let mayBeDone = false;
  for (let attempts = 1; ; attempts++) {
    const sent = performance.now();
    const reply = await send(ask);
    const end = performance.now();
    times.note(end, `${ask.method} ${ask.path.replace(/\?.*|\/[\w-]{20,}/g, '')}`, end - sent, reply?.status ?? 0);
    const { status } = reply ?? { status: 0 };
    const found = { start, end, attempts, reply };
    if (status >= 200 && status < 300) return { ...found, outcome: 'ok' };
    const isClear = status >= 400 && status < 500 && !isInFlight(reply) && status !== 429;
    if (isClear && mayBeDone) return { ...found, outcome: isDone?.(status) === true ? 'ok' : 'unknown' };
    if (isClear) return { ...found, outcome: 'refused' };
    mayBeDone ||= !isRefusedAtOnce(reply);
    if (!again(attempts)) return { ...found, outcome: mayBeDone ? 'unknown' : 'refused' };
    await Bun.sleep(Math.min(pauseMillisecondsMax, pauseMilliseconds * attempts) * (0.5 + Math.random()));
  }
}

/** Returns whether another request with the key is in progress, so this one did nothing. The client sends it again. */
function isInFlight(reply: Reply | null): boolean {
  const code = codeOf(reply);
  return code === 'idempotency_in_flight' || (code === 'conflict' && JSON.stringify(reply?.body).includes('running'));
}

function isRefusedAtOnce(reply: Reply | null): boolean {
  return reply?.status === 429 || isInFlight(reply) || codeOf(reply) === 'shutting_down';
}

export function codeOf(reply: Reply | null): string {
  const { code } = (reply?.body ?? {}) as { readonly code?: string };
  return code ?? '';
}

export async function send({ method, path, body, mediaType, headers }: Ask): Promise<Reply | null> {
  try {
    const response = await fetch(`${balancerUrl}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': mediaType ?? 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(responseMilliseconds),
      keepalive: false,
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parseJsonOrText(text) };
  } catch {
    return null;
  }
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The durations of successful requests by kind, and the number of responses by status. */
export class Timetable {
  readonly #begun = performance.now();
  readonly taken = new Map<string, number[]>();
  readonly statuses = new Map<number, number>();
  /** The number of successful responses in each second. */
  readonly seconds: number[] = [];

  note(at: number, kind: string, milliseconds: number, status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status < 200 || status >= 300) return;
    const taken = this.taken.get(kind) ?? [];
    taken.push(milliseconds);
    this.taken.set(kind, taken);
    const second = Math.floor((at - this.#begun) / 1000);
    this.seconds[second] = (this.seconds[second] ?? 0) + 1;
  }
}

import type { Config } from './config.ts';
import type { Database } from './db/connection.ts';
import { Lifecycle } from './server/lifecycle.ts';
import { OpenStreams } from './server/open-streams.ts';
import { RateLimits } from './server/rate-limits.ts';
import { RequestMetrics } from './server/request-metrics.ts';
import { TaxpayerQueue } from './server/taxpayer-queue.ts';

/** The world outside of one server. A test replaces parts of it. */
export interface World {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly mail: Mail;
  /** Null: the built-in assistant answers from the books. */
  readonly assistant: AssistantPort | null;
  readonly log: Log;
}

/** All that the application works with: the world outside, and what one server keeps in memory. */
export interface Deps extends World {
  readonly lifecycle: Lifecycle;
  readonly requestMetrics: RequestMetrics;
  readonly rateLimits: RateLimits;
  readonly openStreams: OpenStreams;
  readonly taxpayerQueue: TaxpayerQueue;
}

/** A new server in that world, with nothing in memory. */
export function createDeps({ config, database, clock, mail, assistant, log }: World): Deps {
  return {
    config,
    database,
    clock,
    mail,
    assistant,
    log,
    lifecycle: new Lifecycle(),
    requestMetrics: new RequestMetrics(),
    rateLimits: new RateLimits(config.rateLimitFactor, () => clock.now()),
    openStreams: new OpenStreams(),
    taxpayerQueue: new TaxpayerQueue(),
  };
}

export interface Clock {
  now(): Date;
}

export interface Mail {
  send(letter: Letter): Promise<void>;
}

export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** A language model that may look things up in the books by calling tools. */
export interface AssistantPort {
  /** The answer in pieces as they come. It throws where the service fails; a tool's failure is told to the model. */
  answer(question: AssistantQuestion, signal: AbortSignal): AsyncIterable<string>;
}

export interface AssistantQuestion {
  readonly instructions: string;
  /** Oldest first; the last one is the question. */
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  readonly tools: readonly AssistantTool[];
}

export interface AssistantTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
  call(input: Readonly<Record<string, unknown>>): Promise<unknown>;
}

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** One line an event. Never a secret, a request's body or a number out of somebody's books. */
export interface Log {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  /** `cause` is written with its stack: what a bug's finder needs and no answer may show. */
  error(event: string, cause: unknown, fields?: LogFields): void;
}

/** The only place that reads the clock of the machine. */
export const systemClock: Clock = { now: () => new Date() };

/** One JSON object a line, to stderr unless told otherwise. */
export function jsonLog(clock: Clock, write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  const line = (level: string, event: string, fields: LogFields): void =>
    write(`${JSON.stringify({ at: clock.now().toISOString(), level, event, ...fields })}\n`);
  return {
    info: (event, fields = {}) => line('info', event, fields),
    warn: (event, fields = {}) => line('warn', event, fields),
    error: (event, cause, fields = {}) => line('error', event, { ...fields, cause: causeOf(cause) }),
  };
}

export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

/** Mails as lines of the log: what an operator without SMTP has. */
export function logMail(log: Log): Mail {
  return {
    send: async (letter) => log.info('mail', { to: letter.to, subject: letter.subject, text: letter.text }),
  };
}

function causeOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? `${cause.name}: ${cause.message}`) : String(cause);
}

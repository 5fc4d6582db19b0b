import { isObject } from './base/json.ts';
import { openSemaphore, type Semaphore } from './base/semaphore.ts';
import type { Config } from './config.ts';
import type { Database } from './db/connection.ts';
import { JobQueue } from './db/job-queue.ts';
import { Lifecycle } from './server/lifecycle.ts';
import { OpenStreams } from './server/open-streams.ts';
import { LineBudget, RateLimits } from './server/rate-limits.ts';
import { BackupState, MailCounts, RenewalState, RequestMetrics } from './server/request-metrics.ts';
import { noTraces, type TracePort } from './server/traces.ts';

/** The environment of one server. Tests replace parts of it. */
export interface World {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  /** Null means that the built-in assistant answers from the books. */
  readonly assistant: AssistantPort | null;
  readonly mail: MailPort;
  /** Null means that this server takes no payments. */
  readonly billing: BillingPort | null;
  readonly log: Log;
  /** If not set, no spans are sent. */
  readonly traces?: TracePort;
  /** If not set, PostgreSQL stores the imported files and the books of reports. */
  readonly blobs?: BlobPort | null;
  /**
   * Seconds since the embedded PostgreSQL ended and could not be restarted, or 0 while it runs. Lotbook does not start
   * an external one.
   */
  readonly databaseSecondsAway?: () => number;
}

/** All dependencies of the application: its environment and the in-memory state of one server. */
export interface Deps extends World {
  readonly traces: TracePort;
  readonly blobs: BlobPort | null;
  readonly databaseSecondsAway: () => number;
  readonly lifecycle: Lifecycle;
  readonly requestMetrics: RequestMetrics;
  readonly rateLimits: RateLimits;
  /** Limits log lines about refused requests. */
  readonly refusalLines: LineBudget;
  readonly backupState: BackupState;
  readonly renewalState: RenewalState;
  readonly mailCounts: MailCounts;
  readonly openStreams: OpenStreams;
  /**
   * Runs the work for one taxpayer one piece after another. Work waits here before it takes a connection. Otherwise a few
   * concurrent uploads that wait for the taxpayer's lock in the database would hold all connections.
   */
  readonly taxpayerQueue: Semaphore;
  readonly jobs: JobQueue;
  /** For reads with long computations, by taxpayer. */
  readonly longReads: Semaphore;
}

/**
 * Allows one such read per taxpayer and two in total because each can replay a whole history and cores are few. With 24
 * parallel requests, another user waits 0.2 s for a summary instead of 1.4 s (`scripts/bench neighbors`).
 */
const longReadLimits = { placesMax: 2, placesPerKeyMax: 1, waitingPerKeyMax: 32, waitMilliseconds: 30_000 };

/** Writes wait for their turn and are never refused, because a request that was accepted must not be lost. */
const taxpayerQueueLimits = {
  placesMax: Number.POSITIVE_INFINITY,
  placesPerKeyMax: 1,
  waitingMax: Number.POSITIVE_INFINITY,
  waitMilliseconds: Number.POSITIVE_INFINITY,
};

/** Creates the state of a server for that environment, with nothing in memory. */
export function createDeps(world: World): Deps {
  const { config, database, clock, assistant, mail, billing, log, traces = noTraces, blobs = null } = world;
  const { databaseSecondsAway = () => 0 } = world;
  return {
    config,
    database,
    clock,
    assistant,
    mail,
    billing,
    log,
    traces,
    blobs,
    databaseSecondsAway,
    lifecycle: new Lifecycle(),
    requestMetrics: new RequestMetrics(),
    rateLimits: new RateLimits(config.rateLimitFactor, () => clock.now()),
    refusalLines: new LineBudget(() => clock.now()),
    backupState: new BackupState(),
    renewalState: new RenewalState(),
    mailCounts: new MailCounts(),
    openStreams: new OpenStreams(),
    taxpayerQueue: openSemaphore(taxpayerQueueLimits),
    jobs: new JobQueue(database.address, (error) => log.error('jobs', error)),
    longReads: openSemaphore(longReadLimits),
  };
}

export interface Clock {
  now(): Date;
}

/** A language model that reads the books by calling tools. */
export interface AssistantPort {
  /** The host that receives the questions, for consents. */
  readonly service: string;
  /** Yields the reply in chunks. Throws if the service fails. If a tool fails, the model gets the reason. */
  answer(question: AssistantQuestion, signal: AbortSignal): AsyncIterable<string>;
}

export interface AssistantQuestion {
  readonly instructions: string;
  /** Oldest first. The last one is the question. */
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  readonly tools: readonly AssistantTool[];
  /** Called before each request to the service. Throws an error if nothing further may be sent. */
  checkPermission(): Promise<void>;
}

export interface AssistantTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
  call(input: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** Sells plans and reports purchases. Each method throws the error `billing_failed` if the service does not respond. */
export interface BillingPort {
  /** Returns the address of the page that takes the payment. */
  openCheckout(checkoutRequest: CheckoutRequest): Promise<string>;
  /** Returns the address of the page for changing or canceling a subscription. */
  openPortal(customer: string, returnUrl: string): Promise<string>;
  /** Refuses a message without a valid signature. */
  readEvent(body: string, signature: string): Promise<BillingEvent>;
  /**
   * Returns the customer's current subscription, or the paid one if there are several. Returns null if there is none.
   */
  readSubscription(customer: string): Promise<SubscriptionState | null>;
  /** Sets whether the subscriptions of a customer renew at the end of the period. */
  setRenewal(customer: string, renews: boolean): Promise<void>;
  /** Ends all subscriptions and the customer. A missing customer is not an error. */
  deleteCustomer(customer: string): Promise<void>;
}

interface CheckoutRequest {
  readonly userId: string;
  readonly email: string;
  /** The service's id for a user who has bought before. */
  readonly customer: string | null;
  readonly plan: PlanForSale;
  readonly returnUrl: string;
}

export interface PlanForSale {
  readonly name: string;
  readonly cents: number;
  readonly interval: 'month' | 'year';
}

/**
 * A message from the payment service. It is about a customer, about something that does not affect plans, or of an
 * unexpected shape.
 */
export type BillingEvent =
  | {
      readonly kind: 'customer';
      readonly id: string;
      readonly customer: string;
      /** The user named by the checkout. */
      readonly userId: string | null;
    }
  | { readonly kind: 'other' | 'unexpected' };

export interface SubscriptionState {
  readonly plan: string;
  /** `payment_due`: the plan continues while the payment is retried. */
  readonly standing: 'paid' | 'payment_due' | 'ended';
  /** The subscription ends with the current period. */
  readonly ends: boolean;
  readonly periodEndsAt: Date | null;
}

export interface MailPort {
  /** Resolves when a mail server has accepted the email. Throws if none does. */
  send(mail: Mail): Promise<void>;
}

export interface Mail {
  /** The same id in every attempt, so a recipient who gets two attempts sees one email. */
  readonly id?: string;
  /** One address, without a name. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The unsubscribe address in an optional email. A POST to it unsubscribes (RFC 8058). */
  readonly unsubscribeUrl?: string;
}

/**
 * A store for large bytes outside PostgreSQL. The name of an object consists of its taxpayer and the SHA-256 of its
 * bytes, so a hash does not reveal that another user has the same file. Each method throws a `BlobError` if the store
 * does not respond.
 */
export interface BlobPort {
  /** A description for display, without a key. */
  readonly place: string;
  /** Failed calls since the last success. */
  readonly failures: number;
  /** Resolves when the store has the object. An existing object is replaced by the same bytes. */
  put(name: BlobName, bytes: Uint8Array): Promise<void>;
  /** Null if there is no such object. */
  get(name: BlobName): Promise<Uint8Array<ArrayBuffer> | null>;
  /** A missing object is not an error. */
  remove(name: BlobName): Promise<void>;
  /** Lists all objects, in pages. */
  list(): AsyncIterable<readonly StoredBlob[]>;
}

export interface BlobName {
  readonly taxpayerId: string;
  readonly digest: string;
}

export interface StoredBlob extends BlobName {
  readonly bytes: number;
}

/** The reason why a blob store failed, for the operator. */
export class BlobError extends Error {
  override readonly name = 'BlobError';
}

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Writes one line per event. A line never contains a secret, a request body or a number from a user's books. */
export interface Log {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  /** Writes `cause` with its stack, which no response may show. */
  error(event: string, cause: unknown, fields?: LogFields): void;
}

/** The only place that reads the machine's clock. */
export const systemClock: Clock = { now: () => new Date() };

/** Writes one JSON object per line, to stderr by default. */
export function jsonLog(clock: Clock, write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  const line = (level: string, event: string, fields: LogFields): void =>
    write(`${JSON.stringify({ at: clock.now().toISOString(), level, event, ...fields })}\n`);
  return {
    info: (event, fields = {}) => line('info', event, fields),
    warn: (event, fields = {}) => line('warn', event, fields),
    error: (event, cause, fields = {}) => line('error', event, { ...fields, cause: formatCause(cause) }),
  };
}

export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

function formatCause(cause: unknown): string {
  if (cause instanceof Error) return cause.stack ?? `${cause.name}: ${cause.message}`;
  // The job queue reports plain objects.
  return isObject(cause) ? String(cause.stack ?? cause.message ?? JSON.stringify(cause)) : String(cause);
}

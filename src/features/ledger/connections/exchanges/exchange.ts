/** The kinds of connections, as the API names them. */
export const exchangeKinds = ['coinbase', 'kraken', 'ibkr_flex'] as const;
export type ExchangeKind = (typeof exchangeKinds)[number];

/** What the user copies from the service. For Interactive Brokers, the query ID and the token. */
export interface ExchangeKeys {
  readonly key: string;
  readonly secret: string;
}

/** Plain JSON that only the exchange's own client reads. */
export type ExchangeState = Readonly<Record<string, unknown>>;

/** The units of an asset that the account held when a sync began. */
export interface HeldBalance {
  readonly asset: string;
  /** A decimal with as many digits as the service sent. */
  readonly quantity: string;
}

export interface ReadPage {
  /** The response as JSON or XML. Null if it has no rows. */
  readonly content: string | null;
  /** Where the next page begins. */
  readonly position: ExchangeState;
  /** Whether this was the last page. */
  readonly isDone: boolean;
  /** The minimum time before the next request, if the service asked for more than the usual pause. */
  readonly pauseSeconds?: number;
}

/** The rows of a sync, in the format of the service's own export. */
export interface SyncFile {
  readonly fileName: string;
  /** The number of rows. No file is imported if it is 0. */
  readonly rows: number;
  readonly text: string;
  /** Everything up to here is in this file or in earlier ones. */
  readonly cursor: ExchangeState;
}

/** Parts of a sync that depend on the books. */
export interface BooksFacts {
  /** Returns which of these ids the account already has in the books. */
  findKnown(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/**
 * A client that only reads. Each method sends its requests to one fixed host and throws an `ExchangeFault` if the
 * service refuses them.
 */
export interface ExchangeClient {
  readonly kind: ExchangeKind;
  /** The name of the service, and the default account in the books. */
  readonly name: string;
  /** The format of its files, one of `formats`. */
  readonly format: string;
  readonly host: string;
  /** The minimum time between two requests. */
  readonly pauseMilliseconds: number;
  /** Set if each file contains rows of earlier files. A file without new rows is then not kept. */
  readonly repeatsRows?: true;
  /** Refuses keys that do not work or that may do more than read. Throws `KeysRefused`. */
  checkKeys(keys: ExchangeKeys, signal: AbortSignal): Promise<void>;
  /** Begins to read everything after `cursor`, or everything if it is null. */
  begin(
    keys: ExchangeKeys,
    cursor: ExchangeState | null,
    signal: AbortSignal,
  ): Promise<{ readonly position: ExchangeState; readonly balances: readonly HeldBalance[] }>;
  readPage(keys: ExchangeKeys, position: ExchangeState, signal: AbortSignal): Promise<ReadPage>;
  /** Builds the file from all pages. Returns a position instead if rows moved between the pages, to read again. */
  buildFile(
    pages: readonly string[],
    position: ExchangeState,
    facts: BooksFacts,
  ): Promise<SyncFile | { readonly again: ExchangeState }>;
}

/** Thrown if the service cannot be read now. The message never contains a key or a part of a response. */
export class ExchangeFault extends Error {
  override readonly name = 'ExchangeFault';

  constructor(
    /** `busy`: it asked to wait. `failed`: it did not answer, or not as documented. */
    readonly code: 'busy' | 'failed',
    message: string,
    /** How long the service asked to wait, if it did. */
    readonly retrySeconds: number | null = null,
  ) {
    super(message);
  }
}

/** Thrown if the service does not accept the keys, or if they may do more than read. Retrying does not help. */
export class KeysRefused extends Error {
  override readonly name = 'KeysRefused';

  constructor(
    message: string,
    /** The field with the mistake. */
    readonly field: keyof ExchangeKeys = 'key',
  ) {
    super(message);
  }
}

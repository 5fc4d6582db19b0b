/** Position of a request in a distributed trace (W3C Trace Context, level 1). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** The span of the sender, or null if the trace starts here. */
  readonly parentId: string | null;
  /** Whether the sender records this trace. */
  readonly sampled: boolean;
}

/** Receives the spans of requests. */
export interface TracePort {
  begin(context: TraceContext, method: string): RequestSpan;
  /** Sends the pending spans. */
  close(): Promise<void>;
}

interface RequestSpan {
  /** `route` is the template, never the address, which can identify a user's books. */
  end(response: { readonly route: string | null; readonly status: number }): void;
}

export const noTraces: TracePort = { begin: () => ({ end: () => {} }), close: async () => {} };

/** Parses the header `traceparent`. An invalid header starts a new trace, as the standard requires. */
export function readTraceContext(header: string | null): TraceContext {
  const [, version = '', traceId = '', parentId = '', flags = '', more] = traceparent.exec(header ?? '') ?? [];
  const isValid = version !== '' && version !== 'ff' && (version !== '00' || more === undefined);
  if (!isValid || isZero(traceId) || isZero(parentId)) {
    return { traceId: crypto.getRandomValues(new Uint8Array(16)).toHex(), parentId: null, sampled: true };
  }
  return { traceId, parentId, sampled: (Number.parseInt(flags, 16) & sampledFlag) !== 0 };
}

/** Versions after 00 may add fields. */
const traceparent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const sampledFlag = 1;

function isZero(digits: string): boolean {
  return /^0*$/.test(digits);
}

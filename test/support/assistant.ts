/** A local service that implements OpenAI's streaming chat completions, with tool calls and every possible failure. */
export interface LocalAssistant {
  /** The value for AI_BASE_URL. */
  readonly baseUrl: string;
  /** The requests received, oldest first. */
  readonly requests: readonly ChatRequest[];
  close(): Promise<void>;
}

export interface ChatRequest {
  readonly authorization: string | null;
  readonly body: {
    readonly model: string;
    readonly stream: boolean;
    readonly messages: readonly {
      readonly role: string;
      readonly content: string | null;
      readonly tool_call_id?: string;
    }[];
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
    readonly tool_choice?: string;
  };
}

/** How the service handles one request. */
export type Turn =
  /** If `stall` is set, the words are sent, but the stream does not end. */
  | { readonly say: string; readonly stall?: boolean }
  /** `meanwhile` is called before the response. */
  | {
      readonly call: readonly (readonly [name: string, input: string])[];
      readonly say?: string;
      readonly meanwhile?: () => Promise<unknown>;
    }
  | { readonly fail: number }
  /** Sends this text, then the stream ends without finishing the reply. */
  | { readonly breakAfter: string }
  | { readonly hang: true }
  | { readonly garbage: string };

/** Starts the service with one turn per request, in order. The last turn is used for all later requests. */
export function localAssistant(...turns: readonly Turn[]): LocalAssistant {
  const requests: ChatRequest[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const path = new URL(request.url).pathname;
      if (request.method !== 'POST' || path !== '/v1/chat/completions') return new Response(null, { status: 404 });
      const turn = turns[Math.min(requests.length, turns.length - 1)] ?? { fail: 500 };
      requests.push({ authorization: request.headers.get('authorization'), body: await request.json() });
      if ('meanwhile' in turn) await turn.meanwhile?.();
      return responseTo(turn);
    },
  });
  return {
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    requests,
    close: () => server.stop(true),
  };
}

function responseTo(turn: Turn): Response {
  if ('fail' in turn) {
    return Response.json({ error: { message: 'secret words of the service' } }, { status: turn.fail });
  }
  if ('garbage' in turn) return stream([turn.garbage]);
  if ('hang' in turn) return new Response(new ReadableStream({ start() {} }), eventStream);
  if ('breakAfter' in turn) return stream([...textChunks(turn.breakAfter)]);
  if ('stall' in turn) return stream([...textChunks(turn.say)], true);
  const calls = 'call' in turn ? turn.call : [];
  return stream([
    ...textChunks(turn.say ?? ''),
    ...calls.flatMap(callChunks),
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    'data: [DONE]\n\n',
  ]);
}

/** Streams one word at a time, like real services. */
function* textChunks(text: string): Generator<string> {
  for (const word of text.match(/\S+\s*|\s+/g) ?? []) yield chunk({ content: word });
}

/** Splits the arguments in half, because services may split them anywhere. */
function callChunks([name, input]: readonly [string, string], index: number): string[] {
  const half = Math.ceil(input.length / 2);
  return [
    chunk({ tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }] }),
    chunk({ tool_calls: [{ index, function: { arguments: input.slice(0, half) } }] }),
    chunk({ tool_calls: [{ index, function: { arguments: input.slice(half) } }] }),
  ];
}

function chunk(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices })}\n\n`;
}

const eventStream = { headers: { 'content-type': 'text/event-stream' } };

function stream(chunks: readonly string[], stalls = false): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (const text of chunks) {
        controller.enqueue(encoder.encode(text));
        await Bun.sleep(0);
      }
      if (!stalls) controller.close();
    },
  });
  return new Response(body, eventStream);
}

import type OpenAI from 'openai';
import { Refusal } from '../../../base/refusal.ts';
import type { AiService } from '../../../config.ts';
import type { AssistantPort, AssistantQuestion, AssistantTool, Log } from '../../../deps.ts';

type ChatMessage = OpenAI.Chat.Completions.ChatCompletionMessageParam;
type ChatRequest = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;

/** Limits for a language model's answers. */
export interface AssistantBounds {
  /** The maximum number of questions answered at the same time. */
  readonly questions: number;
  /** The maximum number of requests to the service per question. All but the last may call tools. */
  readonly rounds: number;
  readonly toolCallsPerRound: number;
  readonly toolResultCharacters: number;
  readonly answerTokens: number;
  /** The maximum length of an answer, for services that ignore `answerTokens`. */
  readonly answerCharacters: number;
  readonly roundSeconds: number;
  readonly seconds: number;
}

export const assistantBounds: AssistantBounds = {
  questions: 32,
  rounds: 6,
  toolCallsPerRound: 8,
  toolResultCharacters: 16_000,
  answerTokens: 1_500,
  answerCharacters: 16_000,
  roundSeconds: 30,
  seconds: 90,
};

/**
 * Creates an assistant that uses a service with OpenAI's chat completions protocol. The model reads the books by
 * calling tools. The client library takes about 16 MB and is loaded with the first question.
 */
export function openAiAssistant(
  service: AiService,
  log: Log,
  bounds: AssistantBounds = assistantBounds,
): AssistantPort {
  let opening: ReturnType<typeof openClient> | undefined;
  let activeReplies = 0;
  return {
    service: new URL(service.baseUrl).host,
    async *answer(question, signal) {
      if (activeReplies >= bounds.questions) throw overloaded();
      activeReplies += 1;
      const within = AbortSignal.any([signal, AbortSignal.timeout(bounds.seconds * 1000)]);
      let length = 0;
      try {
        for await (const piece of converse(question, within)) {
          yield piece.slice(0, bounds.answerCharacters - length);
          length += piece.length;
          if (length >= bounds.answerCharacters) return;
        }
      } catch (error) {
        // A refusal is thrown by `checkPermission`, not by the service.
        if (signal.aborted || error instanceof Refusal) throw error;
        log.warn('assistant failed', { reason: describeError(error) });
        throw failed();
      } finally {
        activeReplies -= 1;
      }
      if (length === 0) throw failed();
    },
  };

  async function* converse(question: AssistantQuestion, signal: AbortSignal): AsyncGenerator<string> {
    opening ??= openClient(service, bounds.roundSeconds);
    const client = await opening;
    const messages: ChatMessage[] = [{ role: 'system', content: question.instructions }, ...question.messages];
    for (let round = 1; round <= bounds.rounds; round++) {
      const calls = new ToolCalls(bounds.toolCallsPerRound);
      let content = '';
      let finished = false;
      const request = buildChatRequest(messages, question.tools, round === bounds.rounds);
      // Checked for each request, because each one repeats the content of the earlier ones.
      await question.checkPermission();
      for await (const chunk of await client.chat.completions.create(request, { signal })) {
        const delta = chunk.choices[0]?.delta;
        finished ||= (chunk.choices[0]?.finish_reason ?? null) !== null;
        const text = delta?.content ?? '';
        if (text !== '') yield text;
        content += text;
        calls.add(delta?.tool_calls ?? []);
      }
      // The stream of an aborted request ends as if it were complete.
      signal.throwIfAborted();
      if (!finished) throw new Error('The answer was interrupted.');
      if (calls.list.length === 0 || round === bounds.rounds) return;
      messages.push({ role: 'assistant', content: content === '' ? null : content, tool_calls: calls.list });
      for (const { id, function: called } of calls.list) {
        messages.push({ role: 'tool', tool_call_id: id, content: await callTool(question.tools, called) });
      }
      if (content !== '') yield '\n\n';
    }
  }

  function buildChatRequest(
    messages: readonly ChatMessage[],
    tools: readonly AssistantTool[],
    last: boolean,
  ): ChatRequest {
    return {
      model: service.model,
      messages: [...messages],
      stream: true,
      max_completion_tokens: bounds.answerTokens,
      ...(tools.length === 0
        ? {}
        : { tools: tools.map(toolParameter), tool_choice: last ? ('none' as const) : ('auto' as const) }),
    };
  }

  /**
   * Calls a tool. Invalid calls return an error as the result, so that the model can correct them. Only a failure of
   * the service itself throws.
   */
  async function callTool(
    tools: readonly AssistantTool[],
    called: { readonly name: string; readonly arguments: string },
  ): Promise<string> {
    const tool = tools.find((each) => each.name === called.name);
    if (tool === undefined) return errorResult(`There is no tool called ${called.name.slice(0, 50)}.`);
    const input = readArguments(called.arguments);
    if (input === undefined) return errorResult('The arguments are not a JSON object.');
    try {
      const result = JSON.stringify(await tool.call(input));
      if (result.length <= bounds.toolResultCharacters) return result;
      return errorResult('The result is too large: ask for less, such as one asset or one year.');
    } catch (error) {
      if (error instanceof Refusal) return errorResult(error.detail);
      throw error;
    }
  }
}

async function openClient({ baseUrl, apiKey }: AiService, seconds: number): Promise<OpenAI> {
  const { OpenAI: Client } = await import('openai');
  return new Client({
    baseURL: baseUrl,
    apiKey: apiKey ?? 'none',
    // Null, because the library would otherwise read these values from environment variables.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    maxRetries: 1,
    // Data from the books must never be sent to a host that the operator did not configure.
    fetchOptions: { redirect: 'error' },
    timeout: seconds * 1000,
    logLevel: 'off',
  });
}

/** Collects the tool calls of one turn. They arrive in pieces, and each piece contains the index of its call. */
class ToolCalls {
  private readonly calls = new Map<number, { id: string; name: string; arguments: string }>();

  constructor(private readonly max: number) {}

  add(deltas: readonly OpenAI.Chat.Completions.ChatCompletionChunk.Choice.Delta.ToolCall[]): void {
    for (const delta of deltas) {
      const call = this.calls.get(delta.index) ?? { id: '', name: '', arguments: '' };
      if (delta.id !== undefined && delta.id !== '') call.id = delta.id;
      call.name += delta.function?.name ?? '';
      call.arguments += delta.function?.arguments ?? '';
      if (call.arguments.length > argumentCharactersMax)
        throw new Error('The arguments of a tool call are incomplete.');
      if (this.calls.size < this.max || this.calls.has(delta.index)) this.calls.set(delta.index, call);
    }
  }

  get list() {
    return [...this.calls].map(([index, call]) => ({
      type: 'function' as const,
      // Some services omit the id.
      id: call.id === '' ? `call_${index}` : call.id,
      function: { name: call.name, arguments: call.arguments === '' ? '{}' : call.arguments },
    }));
  }
}

const argumentCharactersMax = 10_000;

function toolParameter(tool: AssistantTool): OpenAI.Chat.Completions.ChatCompletionTool {
  const { name, description, parameters } = tool;
  return { type: 'function', function: { name, description, parameters: { ...parameters } } };
}

function readArguments(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function errorResult(sentence: string): string {
  return JSON.stringify({ error: sentence });
}

/** Describes an error without the service's own text, which may contain the key or the question. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'status' in error && typeof error.status === 'number' ? `status ${error.status}` : error.name;
}

function overloaded(): Refusal {
  return new Refusal('overloaded', 'The assistant is busy. Try again in a minute.', {
    retryAfterSeconds: 10,
  });
}

function failed(): Refusal {
  return new Refusal(
    'assistant_failed',
    'The assistant is unavailable. Your question was not counted. Try again later.',
    {
      retryAfterSeconds: 30,
    },
  );
}

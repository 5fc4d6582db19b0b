import { Refusal } from '../../../src/base/refusal.ts';
import { type AssistantPort, type BillingPort, systemClock } from '../../../src/deps.ts';
import { type RequestInput, sessionCookie, type TestApp, type TestAppOptions, testApp } from '../app.ts';
import { standInCredentials } from '../provider.ts';
import {
  type AddressedOperation,
  type ApiDocument,
  type ApiMedia,
  operationsOf,
  readDocument,
} from './api-document.ts';
import { credentialsFor, joined } from './credentials.ts';
import { first, last, recipes } from './recipes.ts';

/**
 * A client that performs each operation in the document once, successfully. A new account starts with the first
 * operations in the document, then sends every example body unchanged. A new operation needs a recipe if it requires an
 * id, or an action by another user.
 */
export interface ApiWalk {
  readonly app: TestApp;
  readonly document: ApiDocument;
  readonly operations: readonly AddressedOperation[];
  /** Returns the walk's current session. */
  readonly cookie: () => string;
  /** Runs each operation in turn, once for each kind of body. */
  run(visit: (step: WalkStep, turn: WalkTurn) => Promise<Response>): Promise<void>;
  ask(method: string, path: string, given?: RequestInput): Promise<Response>;
  read<T = Record<string, unknown>>(path: string): Promise<T>;
  /** The JSON of the newest response of each operation. */
  readonly answers: Map<string, Record<string, unknown>>;
  signIn(): Promise<void>;
  setCookie(to: string): void;
  /** Stops the clock at this time. Null lets it run. */
  setClock(at: Date | null): void;
}

/** One step of the walk, which may run more than once. */
export interface WalkTurn {
  /** Creates the preconditions of the request. */
  prepare(): Promise<void>;
  /** Returns the request, with the session of the walk or one of its tokens. */
  request(): Promise<WalkRequest>;
  send(): Promise<Response>;
}

export interface WalkStep extends AddressedOperation {
  readonly mediaType: string | null;
  readonly media: ApiMedia | null;
}

/** Provider callbacks without a sign-in, and operations that need a paid plan. Other tests cover these operations. */
export const refusedAlone: readonly string[] = [
  'signInWithGoogleCallback',
  'signInWithGitHubCallback',
  'createBillingPortal',
  'acceptStripeEvent',
];

/** Sells without an earlier purchase. */
const noShop: BillingPort = {
  openCheckout: async () => 'https://checkout.example/',
  openPortal: async () => 'https://portal.example/',
  readEvent: async () => {
    throw new Refusal('bad_request', 'The message has no valid Stripe signature.');
  },
  readSubscription: async () => null,
  setRenewal: async () => {},
  deleteCustomer: async () => {},
};

/** A language model that calls every tool. */
const assistant: AssistantPort = {
  service: 'ai.example',
  async *answer({ tools }) {
    for (const tool of tools) await tool.call({ year: 2024 }).catch(() => {});
    yield 'These are your books.';
  },
};

export async function openWalk(given: Pick<TestAppOptions, 'log'> = {}): Promise<ApiWalk> {
  let clockAt: Date | null = null;
  let cookie = '';
  const app = await testApp({
    clock: { now: () => clockAt ?? systemClock.now() },
    env: standInCredentials,
    billing: noShop,
    assistant,
    ...given,
  });
  const document = await readDocument(app);
  const operations = operationsOf(document);
  const answers = new Map<string, Record<string, unknown>>();
  const ask = (method: string, path: string, input: RequestInput = {}) =>
    app.request(method, path, { cookie, ...input });
  const walk: ApiWalk = {
    app,
    document,
    operations,
    answers,
    ask,
    cookie: () => cookie,
    setCookie: (to) => {
      cookie = to;
    },
    setClock: (at) => {
      clockAt = at;
    },
    read: async <T>(path: string): Promise<T> => (await ask('GET', path)).json() as Promise<T>,
    signIn: async () => {
      const login = operations.find(({ operation }) => operation.operationId === 'signIn');
      if (login === undefined) throw new Error('Signing in is impossible.');
      const body = login.operation.requestBody?.content['application/json']?.example;
      cookie = sessionCookie(await app.request('POST', login.path, { body }));
    },
    run: async (visit) => {
      for (const step of stepsOf(operations)) {
        const { operationId } = step.operation;
        const recipe = recipes[operationId] ?? {};
        const prepare = async (): Promise<void> => recipe.before?.(walk, step);
        const request = async (): Promise<WalkRequest> => {
          const { path, given } = await fetchRequest(walk, step);
          return { path, given: joined(await credentialsFor(app, step.operation, cookie), given) };
        };
        const send = async (): Promise<Response> => {
          const { path, given } = await request();
          return app.request(step.method, path, given);
        };
        const response = await visit(step, { prepare, request, send });
        clockAt = null;
        if (setsSession(operationId, response)) cookie = sessionCookie(response);
        await remember(walk, operationId, response);
        await recipe.after?.(walk, step);
      }
    },
  };
  return walk;
}

/** Returns true if the response replaces the walk's session. The demo account is a separate account, so it does not. */
function setsSession(operationId: string, response: Response): boolean {
  const cookies = response.headers.getSetCookie();
  return operationId !== 'signInToDemo' && cookies.some((line) => /^session=[^;]/.test(line));
}

async function remember(walk: ApiWalk, operationId: string, response: Response): Promise<void> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  if (isJson && !response.bodyUsed) walk.answers.set(operationId, (await response.json()) as Record<string, unknown>);
  else if (!response.bodyUsed) await response.body?.cancel();
}

function stepsOf(operations: readonly AddressedOperation[]): WalkStep[] {
  const steps = operations.flatMap((addressed): WalkStep[] => {
    const bodies = Object.entries(addressed.operation.requestBody?.content ?? {});
    if (bodies.length === 0) return [{ ...addressed, mediaType: null, media: null }];
    return bodies.map(([mediaType, media]) => ({ ...addressed, mediaType, media }));
  });
  const rank = ({ operation: { operationId } }: WalkStep): number => {
    if (first.includes(operationId)) return first.indexOf(operationId) - first.length;
    return last.indexOf(operationId) + 1;
  };
  return steps.toSorted((a, b) => rank(a) - rank(b));
}

export interface WalkRequest {
  readonly path: string;
  readonly given: RequestInput;
}

async function fetchRequest(walk: ApiWalk, { path, operation, mediaType, media }: WalkStep): Promise<WalkRequest> {
  const recipe = recipes[operation.operationId];
  let address = path;
  for (const { name, in: place, example } of operation.parameters ?? []) {
    if (place === 'path' && example !== undefined) address = address.replace(`{${name}}`, String(example));
  }
  if (address.includes('{')) {
    if (recipe?.id === undefined)
      throw new Error(`${operation.operationId} needs a recipe for the id that its path requires.`);
    address = address.replace(/\{\w+\}/, encodeURIComponent(await recipe.id(walk)));
  }
  const asked = (operation.parameters ?? []).filter(
    ({ in: place, required }) => place === 'query' && required === true,
  );
  const query = new URLSearchParams(asked.map(({ name, example }) => [name, String(example)]));
  return { path: `${address}${query.size === 0 ? '' : `?${query}`}`, given: bodyOf(operation, mediaType, media) };
}

function bodyOf(
  operation: AddressedOperation['operation'],
  mediaType: string | null,
  media: ApiMedia | null,
): RequestInput {
  if (mediaType === null || media === null) return {};
  if (mediaType === 'multipart/form-data') return { body: formOf(operation, media) };
  const body = typeof media.example === 'string' ? media.example : JSON.stringify(media.example);
  return { body, headers: { 'content-type': mediaType } };
}

/** Returns the example of the same operation as a file, plus one line that cannot be read. */
function formOf(operation: AddressedOperation['operation'], media: ApiMedia): FormData {
  const { example } = operation.requestBody?.content['text/csv'] ?? {};
  const { properties = {} } = (media.schema ?? {}) as { properties?: object };
  const form = new FormData();
  for (const name of Object.keys(properties)) {
    form.set(name, new File([`${example}2024-03-05,swapped,Kraken,BTC,1,100.00,\n`], 'trades.csv'));
  }
  return form;
}

import { Refusal } from '../../../src/base/refusal.ts';
import { type AssistantPort, type BillingPort, systemClock } from '../../../src/deps.ts';
import { type RequestInput, sessionCookie, type TestApp, type TestAppOptions, testApp } from '../app.ts';
import { startFlex } from '../exchanges.ts';
import { standInCredentials } from '../provider.ts';
import { type AddressedOperation, type ApiDocument, type ApiMedia, nameOf, operationsOf } from './api-document.ts';
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
  /** Performs a step, and returns a sentence for each fault that the walk or an observer finds. */
  perform(step: WalkStep, observers: readonly WalkObserver[]): Promise<string[]>;
  ask(method: string, path: string, given?: RequestInput): Promise<Response>;
  read<T = Record<string, unknown>>(path: string): Promise<T>;
  /** The JSON of the newest response of each operation. */
  readonly answers: Map<string, Record<string, unknown>>;
  /** Returns the id of the walk's user, who created the account in the first step. */
  userId(): string;
  signIn(): Promise<void>;
  setCookie(to: string): void;
  /** Stops the clock at this time. Null lets it run. */
  setClock(at: Date | null): void;
}

/**
 * Checks each step of the walk, with requests of its own or with the successful response. `before` runs in the order of
 * the observers and `after` in the reverse order, so the last observer is the closest to the successful request.
 */
export interface WalkObserver {
  /** Runs while the preconditions of the operation are met, and must leave them so. Returns the faults. */
  before?(step: WalkStep, turn: WalkTurn): Promise<readonly string[]>;
  /** Receives the response and its body, which is null for a stream. Returns the faults. */
  after?(step: WalkStep, response: Response, body: string | null): Promise<readonly string[]>;
}

/** One step of the walk. */
export interface WalkTurn {
  /** Creates the preconditions of the request. */
  prepare(): Promise<void>;
  /** Returns the request, with the session of the walk or one of its tokens. */
  request(): Promise<WalkRequest>;
  send(): Promise<Response>;
}

export interface WalkRequest {
  readonly path: string;
  readonly given: RequestInput;
}

export interface WalkStep extends AddressedOperation {
  /** The operation, and the type of the body if there are several: `POST /v1/balances/import (text/csv)`. */
  readonly title: string;
  readonly mediaType: string | null;
  readonly media: ApiMedia | null;
}

/** Provider callbacks without a sign-in, and operations that need a paid plan. Other tests cover these operations. */
const refusedAlone: readonly string[] = [
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

export async function openWalk(document: ApiDocument, given: Pick<TestAppOptions, 'log'> = {}): Promise<ApiWalk> {
  let clockAt: Date | null = null;
  let cookie = '';
  const app = await testApp({
    clock: { now: () => clockAt ?? systemClock.now() },
    // Its query and token are those of the example.
    env: { ...standInCredentials, IBKR_FLEX_SYNC_URL: startFlex().url },
    billing: noShop,
    assistant,
    ...given,
  });
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
    userId: () => String(answers.get('createAccount')?.id),
    read: async <T>(path: string): Promise<T> => (await ask('GET', path)).json() as Promise<T>,
    signIn: async () => {
      const login = operations.find(({ operation }) => operation.operationId === 'signIn');
      if (login === undefined) throw new Error('Signing in is impossible.');
      const body = login.operation.requestBody?.content['application/json']?.example;
      cookie = sessionCookie(await app.request('POST', login.path, { body }));
    },
    perform: async (step, observers) => {
      const { operationId } = step.operation;
      const recipe = recipes[operationId] ?? {};
      const prepare = async (): Promise<void> => recipe.before?.(walk, step);
      const request = async (): Promise<WalkRequest> => {
        const { path, given: input } = await fetchRequest(walk, step);
        return { path, given: joined(await credentialsFor(app, step.operation, cookie), input) };
      };
      const send = async (): Promise<Response> => {
        const { path, given: input } = await request();
        return app.request(step.method, path, input);
      };
      const faults: string[] = [];
      await prepare();
      for (const observer of observers) {
        faults.push(...((await observer.before?.(step, { prepare, request, send })) ?? []));
      }
      const response = await send();
      clockAt = null;
      const body = await readBody(response);
      if (response.status >= 400 && !refusedAlone.includes(operationId)) faults.push(refusedExample(step, body));
      if (setsSession(operationId, response)) cookie = sessionCookie(response);
      if (response.headers.get('content-type')?.startsWith('application/json') === true) {
        answers.set(operationId, JSON.parse(body ?? 'null') as Record<string, unknown>);
      }
      for (const observer of observers.toReversed()) {
        faults.push(...((await observer.after?.(step, response, body)) ?? []));
      }
      await recipe.after?.(walk, step);
      return faults;
    },
  };
  return walk;
}

function refusedExample({ title, operation }: WalkStep, body: string | null): string {
  return (
    `${title} refuses its example: ${body}. If the request needs something that other operations do not create, add ` +
    `a recipe for ${operation.operationId} to test/support/walk/recipes.ts.`
  );
}

/** Returns the body, or null for an endless stream, which ends. */
async function readBody(response: Response): Promise<string | null> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) return response.text();
  await response.body?.cancel();
  return null;
}

/** Returns true if the response replaces the walk's session. The demo account is a separate account, so it does not. */
function setsSession(operationId: string, response: Response): boolean {
  const cookies = response.headers.getSetCookie();
  return operationId !== 'signInToDemo' && cookies.some((line) => /^session=[^;]/.test(line));
}

/** Returns a step for each kind of body of each operation, in the order of the walk. */
export function stepsOf(document: ApiDocument): WalkStep[] {
  const steps = operationsOf(document).flatMap((addressed): WalkStep[] => {
    const bodies = Object.entries(addressed.operation.requestBody?.content ?? {});
    const title = nameOf(addressed);
    if (bodies.length === 0) return [{ ...addressed, title, mediaType: null, media: null }];
    return bodies.map(([mediaType, media]) => ({
      ...addressed,
      title: bodies.length === 1 ? title : `${title} (${mediaType})`,
      mediaType,
      media,
    }));
  });
  const rank = ({ operation: { operationId } }: WalkStep): number => {
    if (first.includes(operationId)) return first.indexOf(operationId) - first.length;
    return last.indexOf(operationId) + 1;
  };
  return steps.toSorted((a, b) => rank(a) - rank(b));
}

async function fetchRequest(walk: ApiWalk, step: WalkStep): Promise<WalkRequest> {
  const { path, operation, mediaType, media } = step;
  const recipe = recipes[operation.operationId];
  let address = path;
  for (const { name, in: place, example } of operation.parameters ?? []) {
    if (place === 'path' && example !== undefined) address = address.replace(`{${name}}`, String(example));
  }
  if (address.includes('{')) {
    if (recipe?.id === undefined)
      throw new Error(
        `The path of ${operation.operationId} contains an id: add a recipe that returns this id to ` +
          'test/support/walk/recipes.ts.',
      );
    address = address.replace(/\{\w+\}/, encodeURIComponent(await recipe.id(walk)));
  }
  const asked = (operation.parameters ?? []).filter(
    ({ in: place, required }) => place === 'query' && required === true,
  );
  const query = new URLSearchParams(asked.map(({ name, example }) => [name, String(example)]));
  const made = media?.example === undefined && mediaType !== null && !mediaType.startsWith('multipart/');
  const given =
    made && recipe?.body !== undefined
      ? { body: await recipe.body(step), headers: { 'content-type': mediaType } }
      : bodyOf(operation, mediaType, media);
  return { path: `${address}${query.size === 0 ? '' : `?${query}`}`, given };
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

import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { RequestInput } from '../support/app.ts';
import { type ApiWalk, openWalk, refusedAlone, type WalkRequest, type WalkStep } from '../support/walk/api-walk.ts';
import { declaredOperations } from '../support/walk/declared.ts';

/**
 * Sends every documented operation with exactly one error. The server must refuse it for that reason and change
 * nothing, as the correct request then shows by succeeding. New operations are included automatically.
 */
let walk: ApiWalk;
let stranger: string;
beforeAll(async () => {
  walk = await openWalk();
  stranger = (await walk.app.register('CPA')).cookie;
});
afterAll(() => walk.app.close());

const surprise = 'surprise';
/** Long and unusual enough that no response contains it by chance. */
const marker = 'zq7Marker4711';

interface Wrong {
  readonly isMeant: (step: WalkStep) => boolean;
  readonly request: (right: WalkRequest, step: WalkStep) => WalkRequest;
  readonly status: number;
  readonly code: string;
}

const isPublic = ({ operation }: WalkStep): boolean => operation.security.length === 0;
/** Years and providers have no owner. The id of a cause describes it, so each taxpayer has one with the same id. */
const isOfSomebody = ({ path }: WalkStep): boolean => path.includes('{id}') && !path.includes('/causes/');
/** A download changes nothing, but it takes work, and its audit entry would name a user who was tricked into it. */
const isDownload = ({ method, path }: WalkStep): boolean =>
  declaredOperations(walk.app.app).get(`${method} ${path}`)?.isDownload === true;
const isCallback = ({ path }: WalkStep): boolean => path.endsWith('/callback');
const fromElsewhere = (headers: Readonly<Record<string, string>>): Wrong => ({
  isMeant: (step) => step.method !== 'GET' || isDownload(step),
  request: (right) => withGiven(right, { headers: { ...right.given.headers, ...headers } }),
  status: 403,
  code: 'csrf',
});

const wrongs: Readonly<Record<string, Wrong>> = {
  'without a session or a token': {
    isMeant: (step) => !isPublic(step),
    request: (right) => {
      const { authorization: _, ...headers } = { authorization: '', ...right.given.headers };
      return withGiven(right, { cookie: '', headers });
    },
    status: 401,
    code: 'unauthenticated',
  },
  "with another user's session": {
    isMeant: (step) => !isPublic(step) && isOfSomebody(step),
    request: (right) => withGiven(right, { cookie: stranger }),
    status: 404,
    code: 'not_found',
  },
  'from another site': fromElsewhere({ 'sec-fetch-site': 'cross-site' }),
  'from another host of the same site': fromElsewhere({ 'sec-fetch-site': 'same-site' }),
  'with the Origin of another site': fromElsewhere({ origin: 'https://elsewhere.example' }),
  'with the Origin null': fromElsewhere({ origin: 'null' }),
  'with an unknown parameter': {
    isMeant: (step) => !isCallback(step),
    request: ({ path, given }) => ({ path: `${path}${path.includes('?') ? '&' : '?'}${surprise}=1`, given }),
    status: 400,
    code: 'unknown_parameter',
  },
  'with a compressed body': {
    isMeant: ({ method }) => method !== 'GET',
    request: (right) => withGiven(right, { headers: { ...right.given.headers, 'content-encoding': 'gzip' } }),
    status: 415,
    code: 'unsupported_media_type',
  },
  'with an unknown member': {
    isMeant: ({ mediaType, media }) => mediaType === 'application/json' && !isOpen(media?.schema),
    request: (right) => {
      const body = JSON.parse(String(right.given.body)) as object;
      return withGiven(right, { body: JSON.stringify({ ...body, [surprise]: 1 }) });
    },
    status: 422,
    code: 'invalid',
  },
};

test('each operation is refused for one error, and succeeds without it', async () => {
  const met = new Map<string, number>();
  const unexpected: unknown[] = [];
  await walk.run(async (step, { prepare, request, send }) => {
    await prepare();
    const { operationId } = step.operation;
    for (const [name, wrong] of Object.entries(wrongs).filter(([, each]) => each.isMeant(step))) {
      const { path, given } = wrong.request(await request(), step);
      const response = await walk.app.request(step.method, path, given);
      const { status, code } = (await response.json()) as { status: number; code: string };
      if (status !== wrong.status || code !== wrong.code) unexpected.push([operationId, name, status, code]);
      met.set(name, (met.get(name) ?? 0) + 1);
    }
    const response = await send();
    const isDone = response.status < 400 || refusedAlone.includes(operationId);
    if (!isDone) unexpected.push([operationId, 'right', response.status, await response.clone().text()]);
    return response;
  });
  expect(unexpected).toEqual([]);
  for (const name of Object.keys(wrongs)) expect([name, (met.get(name) ?? 0) > 20]).toEqual([name, true]);
});

test('no error repeats values from the request', async () => {
  const who = await walk.app.register('CPA');
  const repeated: unknown[] = [];
  for (const { method, path, operation } of walk.operations) {
    const address = path.replace(/\{\w+\}/g, marker);
    const known = (operation.parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => name);
    const media = Object.entries(operation.requestBody?.content ?? {}).filter(
      ([type]) => !type.startsWith('multipart'),
    );
    const asked: [path: string, given: RequestInput][] = [
      [address, {}],
      ...known.map((name): [string, RequestInput] => [`${path.replace(/\{\w+\}/g, '2024')}?${name}=${marker}`, {}]),
      ...media.map(([type, { example }]): [string, RequestInput] => [
        address.replaceAll(marker, '2024'),
        { body: marked(example), headers: { 'content-type': type } },
      ]),
    ];
    for (const [target, given] of asked) {
      const response = await walk.app.request(method, target, { cookie: who.cookie, ...given });
      if (response.status < 400) await response.body?.cancel();
      else if ((await response.text()).includes(marker))
        repeated.push([operation.operationId, target, response.status]);
    }
  }
  expect(repeated).toEqual([]);
});

/** Replaces every string in the example, and everything but the header of a file, with the marker. */
function marked(example: unknown): string {
  if (typeof example === 'string') return `${example.split('\n')[0]}\n${marker},${marker},${marker}\n`;
  return JSON.stringify(example, (_name, value: unknown) => (typeof value === 'string' ? marker : value));
}

/** Returns whether the caller chooses the names of the fields. */
function isOpen(schema: object | undefined): boolean {
  const { $ref, additionalProperties } = (schema ?? {}) as { $ref?: string; additionalProperties?: unknown };
  if ($ref !== undefined) return isOpen(walk.document.components.schemas[$ref.split('/').at(-1) ?? '']);
  return additionalProperties !== false;
}

function withGiven({ path, given }: WalkRequest, more: RequestInput): WalkRequest {
  return { path, given: { ...given, ...more } };
}

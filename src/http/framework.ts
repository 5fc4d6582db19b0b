import { Elysia } from 'elysia';
import type { Deps } from '../deps.ts';
import { readJson } from './body.ts';
import { loggable, refusalOf } from './errors.ts';
import { problemResponse } from './problems.ts';
import { factsOf } from './requests.ts';

/**
 * What the framework must do our way on every route, so it is used before any feature: a thrown error becomes a
 * problem (the framework's own answer repeats the body, passwords included), and bodies are read with an end to them.
 */
export const framework = (deps: Deps) =>
  new Elysia({ name: 'framework' })
    .onError({ as: 'global' }, ({ error, request }) => {
      const { refusal, bug } = refusalOf(error);
      const { id, route } = factsOf(request);
      if (bug) deps.log.error('request failed', loggable(error), { requestId: id, route: route?.template });
      return problemResponse(refusal, id);
    })
    // Null and not undefined: to the framework, undefined means that it shall read the body itself.
    .onParse({ as: 'global' }, async ({ request }) => {
      return factsOf(request).route?.streams ? null : ((await readJson(request)) ?? null);
    })
    .onTransform({ as: 'global' }, (context) => {
      if (context.body === null) context.body = undefined;
    });

/**
 * `normalize: false`: a member that a schema does not have is refused, never dropped in silence. `systemRouter: false`:
 * every request takes the way that the tests take. `standardHostname: false`: a host of one letter is a host.
 */
export const frameworkOptions = {
  normalize: false,
  systemRouter: false,
  handler: { standardHostname: false },
  allowUnsafeValidationDetails: false,
} as const;

import { Elysia } from 'elysia';
import type { Deps } from '../deps.ts';
import { refusalAndLine } from './audit/refusals.ts';
import { readJson } from './body.ts';
import { problemResponse } from './problems.ts';
import { getRequestFacts } from './requests.ts';

/**
 * Used before any feature so that it applies to every route. Converts a thrown error into a problem because the
 * framework's own response repeats the body, including passwords. Reads bodies up to a limit.
 */
export const framework = (deps: Deps) =>
  new Elysia({ name: 'framework' })
    .onError({ as: 'global' }, ({ error, request }) => {
      const facts = getRequestFacts(request);
      return problemResponse(refusalAndLine(deps, error, facts), facts.id);
    })
    // Null because with undefined the framework reads the body itself.
    .onParse({ as: 'global' }, async ({ request }) => {
      return getRequestFacts(request).route?.streams ? null : ((await readJson(request)) ?? null);
    })
    .onTransform({ as: 'global' }, (context) => {
      if (context.body === null) context.body = undefined;
    });

/**
 * `normalize: false` refuses an unknown field instead of dropping it silently. `systemRouter: false` sends every
 * request along the same path as in the tests. `standardHostname: false` accepts a host of one letter.
 */
export const frameworkOptions = {
  normalize: false,
  systemRouter: false,
  handler: { standardHostname: false },
  allowUnsafeValidationDetails: false,
} as const;

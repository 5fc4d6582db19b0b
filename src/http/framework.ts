import { Elysia } from 'elysia';
import type { Deps } from '../deps.ts';
import { refusalAndLine } from './audit/refusals.ts';
import { readJson } from './body.ts';
import { problemResponse } from './problems.ts';
import { getRequestFacts } from './requests.ts';

/**
 * Used before any feature, so that it applies to every route. A thrown error becomes a problem, because the framework's
 * own response repeats the body, passwords included. Bodies are read up to a limit.
 */
export const framework = (deps: Deps) =>
  new Elysia({ name: 'framework' })
    .onError({ as: 'global' }, ({ error, request }) => {
      const facts = getRequestFacts(request);
      return problemResponse(refusalAndLine(deps, error, facts), facts.id);
    })
    // Null, because with undefined the framework reads the body itself.
    .onParse({ as: 'global' }, async ({ request }) => {
      return getRequestFacts(request).route?.streams ? null : ((await readJson(request)) ?? null);
    })
    .onTransform({ as: 'global' }, (context) => {
      if (context.body === null) context.body = undefined;
    });

/**
 * `normalize: false`: an unknown member is refused, not dropped silently. `systemRouter: false`: every request takes the
 * same path as in the tests. `standardHostname: false`: a host of one letter is valid.
 */
export const frameworkOptions = {
  normalize: false,
  systemRouter: false,
  handler: { standardHostname: false },
  allowUnsafeValidationDetails: false,
} as const;

import { type AnyElysia, Elysia } from 'elysia';
import type { Deps } from './deps.ts';
import { auth } from './features/auth/index.ts';
import type { TimeZoneHook } from './features/auth/profile.ts';
import { providerRoutes } from './features/auth/provider-routes.ts';
import type { Endpoints } from './features/auth/provider-sign-in.ts';
import { clients } from './features/clients/index.ts';
import { gains } from './features/gains/index.ts';
import { recompute } from './features/gains/recompute.ts';
import { changeTimeZone } from './features/gains/settings.ts';
import { imports } from './features/imports/index.ts';
import { messages } from './features/messages/index.ts';
import { notifications } from './features/notifications/index.ts';
import { plans } from './features/plans/index.ts';
import { prices } from './features/prices/index.ts';
import { createReports } from './features/reports/create.ts';
import { reports } from './features/reports/index.ts';
import { transactions } from './features/transactions/index.ts';
import { docs } from './http/docs.ts';
import { framework, frameworkOptions } from './http/framework.ts';
import { guard } from './http/guard.ts';
import { health } from './http/health.ts';
import { openapi } from './http/openapi.ts';

export interface AppOptions {
  /** Where the sign-in providers are: tests have stand-ins. */
  readonly endpoints?: Endpoints;
}

/**
 * The whole API on one screen: a function from Request to Response. Tests call it without a socket; `main` listens
 * with it. Each feature adds one line.
 */
export const createApp = (deps: Deps, options: AppOptions = {}) => {
  // Dates transactions with a time of day again, in the transaction that changes the zone.
  const onTimeZoneChange: TimeZoneHook = changeTimeZone;

  const v1 = new Elysia({ prefix: '/v1' })
    .use(auth(deps, { onTimeZoneChange }))
    .use(plans())
    .use(notifications(deps))
    .use(clients(deps, { onTimeZoneChange }))
    .use(gains(deps, { makeReports: createReports }))
    .use(transactions(deps, { follow: recompute }))
    .use(prices(deps, { follow: recompute }))
    .use(imports(deps))
    .use(reports(deps))
    .use(messages(deps));

  const site = new Elysia(frameworkOptions)
    .use(framework(deps))
    .use(health(deps))
    .use(docs())
    .use(providerRoutes(deps, options.endpoints))
    .use(openapi(() => root));
  const app = site.use(v1);
  const root: AnyElysia = app;
  return guard(app, deps);
};

import { type AppOptions, createApp } from '../app.ts';
import type { Deps } from '../deps.ts';
import { clientRoutes } from './files/routes.ts';
import { wellKnownRoutes } from './files/well-known.ts';

/** The API with its web client. `serve` listens with it. */
export const createSite = (deps: Deps, options: AppOptions = {}) =>
  createApp(deps, options).use(wellKnownRoutes(deps)).use(clientRoutes());

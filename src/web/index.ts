import { type AppOptions, createApp } from '../app.ts';
import type { Deps } from '../deps.ts';
import { clientRoutes } from './files/routes.ts';

/** The API with its web client. `serve` listens with it. */
export const createSite = (deps: Deps, options: AppOptions = {}) => createApp(deps, options).use(clientRoutes());

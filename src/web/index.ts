import { type AppOptions, createApp } from '../app.ts';
import type { Deps } from '../deps.ts';
import { landing } from './landing.ts';

/** The API and its web pages. `serve` listens with it. */
export const createSite = (deps: Deps, options: AppOptions = {}) => createApp(deps, options).use(landing());

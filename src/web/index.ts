import { type AppOptions, createApp } from '../app.ts';
import type { Deps } from '../deps.ts';
import { landing } from './landing.ts';

/** The API and what a person's browser sees of it: what `serve` listens with. */
export const createSite = (deps: Deps, options: AppOptions = {}) => createApp(deps, options).use(landing());

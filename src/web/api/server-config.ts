import { api, got } from './api.ts';
import { useResource } from './resource.ts';

/** What this server offers. What it does not is not shown. */
export function useServerConfig() {
  return useResource('config', () => got(api.config.get()));
}

import { api, unwrapResponse } from './api.ts';
import { useResource } from './resource.ts';

/** The features of this server. Pages hide the others. */
export function useServerConfig() {
  return useResource('config', () => unwrapResponse(api.config.get()));
}

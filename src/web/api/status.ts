import { api, unwrapResponse } from './api.ts';
import { useResource } from './resource.ts';

/** Counts for the navigation badges, in one request. */
export function useStatus() {
  return useResource('status', () => unwrapResponse(api.status.get()));
}

import { api, got } from './api.ts';
import { useResource } from './resource.ts';

/** What waits where, in one request: every page shows it at its navigation. */
export function useStatus() {
  return useResource('status', () => got(api.status.get()));
}

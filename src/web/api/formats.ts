import { api, unwrapResponse } from './api.ts';
import { useResource } from './resource.ts';

/** Returns the file formats that Lotbook reads. */
export function useFormats() {
  return useResource('formats', () => unwrapResponse(api.formats.get()));
}

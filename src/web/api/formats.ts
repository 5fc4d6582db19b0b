import { api, unwrapResponse } from './api.ts';
import { useResource } from './resource.ts';

/** Returns the file formats that Lotbook reads. */
export const useFormats = () => useResource('formats', () => unwrapResponse(api.formats.get()));

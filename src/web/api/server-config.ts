import { api, unwrapResponse } from './api.ts';
import { useResource } from './resource.ts';

/** Returns the features of this server. Pages hide features that it lacks. */
export const useServerConfig = () => useResource('config', () => unwrapResponse(api.config.get()));

/** Returns whether the server can send email. Assumed until the server has responded. */
export const useSendsMail = (): boolean => useServerConfig().data?.mail ?? true;

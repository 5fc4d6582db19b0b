import { api, unwrapResponse, useResource } from '../api/api.ts';
import { account } from '../api/session.ts';

/** The scopes in plain words. */
export const programScopes = [
  {
    value: 'read',
    label: 'Read the books of all years',
    means:
      'Gains, Form 8949 entries, wash sales, lots, income, open questions and the 1099 comparison. Changes nothing.',
  },
  {
    value: 'import',
    label: 'Import files',
    means: 'Add transactions from a file, after showing you what would change. You can undo an import.',
  },
] as const;

const readClients = async () => (await unwrapResponse(api.clients.get({ query: { limit: 100 } }))).data;

/** Returns the clients of a CPA, and an empty list for other users. */
export function useClientNames() {
  const isCpa = account.value?.plan === 'CPA';
  return useResource('clients of tokens', isCpa ? readClients : async () => []).data ?? [];
}

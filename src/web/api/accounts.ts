import { api, unwrapResponse } from './api.ts';
import { useResource } from './resource.ts';

/** An account in the form that GET /tax/accounts returns. */
export type BooksAccountRow = Awaited<ReturnType<typeof readAccounts>>['data'][number];

function readAccounts() {
  return unwrapResponse(api.tax.accounts.get({ query: { limit: 1000 } }));
}

export function useAccounts() {
  return useResource('accounts', readAccounts);
}

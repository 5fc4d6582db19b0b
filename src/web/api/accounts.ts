import { api, unwrapResponse } from './api.ts';
import { useResource } from './resource.ts';

/** An account in the form that GET /tax/accounts returns. */
export type BooksAccountRow = Awaited<ReturnType<typeof readAccounts>>['data'][number];

const readAccounts = () => unwrapResponse(api.tax.accounts.get({ query: { limit: 1000 } }));

export const useAccounts = () => useResource('accounts', readAccounts);

import { api, unwrapResponse } from '../../api/api.ts';

/** An account in the form that GET /tax/accounts returns. */
export type BooksAccountRow = Awaited<ReturnType<typeof readAccounts>>['data'][number];

export function readAccounts() {
  return unwrapResponse(api.tax.accounts.get({ query: { limit: 1000 } }));
}

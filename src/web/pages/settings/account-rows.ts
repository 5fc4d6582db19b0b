import { api, unwrapResponse } from '../../api/api.ts';

/** An account as GET /tax/accounts returns it. */
export type BooksAccountRow = Awaited<ReturnType<typeof readAccounts>>['data'][number];

export function readAccounts() {
  return unwrapResponse(api.tax.accounts.get({ query: { limit: 1000 } }));
}

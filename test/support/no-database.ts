import type { Database } from '../../src/db/connection.ts';

const refuse = (): never => {
  throw new Error('There is no database here.');
};

/** For tests whose requests never reach a database. */
export const noDatabase: Database = {
  address: { url: '', directUrl: null },
  asTaxpayer: refuse,
  asService: refuse,
  listen: refuse,
  ping: refuse,
  close: async () => {},
};

import { createApp } from '../app.ts';
import { loadConfig } from '../config.ts';
import type { Database } from '../db/connection.ts';
import { silentLog } from '../deps.ts';
import { commandDeps } from './command.ts';
import { printText } from './output.ts';

/** Prints the document at `/v1/openapi.json`. Does not need a database. */
export async function openapi(_args: readonly string[]): Promise<number> {
  const app = createApp(commandDeps(loadConfig({}), noDatabase, silentLog));
  await app.modules;
  const response = await app.fetch(new Request('http://localhost/v1/openapi.json'));
  await printText(`${JSON.stringify(await response.json(), null, 2)}\n`);
  return response.ok ? 0 : 1;
}

const refuseDatabase = (): never => {
  throw new Error('There is no database here.');
};
const noDatabase: Database = {
  address: { url: '', directUrl: null },
  asTaxpayer: refuseDatabase,
  asService: refuseDatabase,
  listen: async () => async () => {},
  ping: refuseDatabase,
  close: async () => {},
};

import { createApp } from '../app.ts';
import { loadConfig } from '../config.ts';
import type { Database } from '../db/connection.ts';
import { createDeps, silentLog, systemClock } from '../deps.ts';
import { logMail } from '../features/people/mail/smtp.ts';
import { writeOut } from './output.ts';

/** Prints the document at `/v1/openapi.json`. Does not need a database. */
export async function openapi(_args: readonly string[]): Promise<number> {
  const deps = createDeps({
    config: loadConfig({}),
    database: noDatabase,
    clock: systemClock,
    assistant: null,
    mail: logMail(silentLog),
    billing: null,
    log: silentLog,
  });
  const app = createApp(deps);
  await app.modules;
  const response = await app.fetch(new Request('http://localhost/v1/openapi.json'));
  const text = `${JSON.stringify(await response.json(), null, 2)}\n`;
  await writeOut(null, [new TextEncoder().encode(text)]);
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

import { responseSaver } from '../../http/idempotency/saved-response.ts';
import type { Taxpayer } from '../auth/access.ts';
import { updateTaxpayer } from '../auth/queries.ts';
import { selectTaxpayer } from '../books/queries.ts';
import type { ImportDeps } from '../imports/import-deps.ts';
import { runImport } from '../imports/run.ts';
import { selectImports } from '../imports/status/queries.ts';
import { textUpload } from '../imports/upload.ts';
import { readPrices } from '../prices/read-prices.ts';
import { storePrices } from '../prices/store.ts';
import { recompute } from '../recompute/recompute.ts';
import { createReport } from '../reports/create.ts';
import { changeSettings } from '../settings/settings.ts';
import { inTurn } from '../transactions/turn.ts';
import { demoFiles, demoName, demoPrices, demoSettings, demoYears } from './books.ts';

/** Imports the demo books into an account. Resumes an earlier run that was interrupted. */
export async function fillDemo(deps: ImportDeps, taxpayerId: string): Promise<void> {
  // Uses the PRO plan, because the demo rows exceed the smallest plan and are not the user's own.
  const taxpayer: Taxpayer = { id: taxpayerId, timeZone: 'UTC', plan: 'PRO', role: 'owner' };
  await inTurn(deps, taxpayerId, async (sql) => {
    await updateTaxpayer(sql, taxpayerId, { taxpayerName: demoName });
    const { settings } = await selectTaxpayer(sql, taxpayerId);
    await changeSettings(sql, taxpayerId, { ...settings, ...demoSettings });
  });
  const there = await inTurn(deps, taxpayerId, (sql) => selectImports(sql, taxpayerId, null, demoFiles.length));
  const isThere = (name: string): boolean => there.some((row) => row.fileName === name && row.status === 'completed');
  for (const file of demoFiles.filter(({ name }) => !isThere(name))) {
    const upload = textUpload(file.name, new TextEncoder().encode(file.text), new AbortController());
    await runImport(deps, taxpayer, upload, { dryRun: false, async: false }, responseSaver(null));
  }
  const { prices } = await readPrices(new Blob([demoPrices]).stream());
  await inTurn(deps, taxpayerId, (sql) => storePrices(sql, taxpayerId, prices, deps.clock.now(), recompute));
  for (const year of demoYears) {
    await inTurn(deps, taxpayerId, (sql) => createReport(sql, taxpayerId, year, deps.clock.now()));
  }
}

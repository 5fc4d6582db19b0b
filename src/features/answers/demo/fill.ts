import { responseSaver } from '../../../http/saved-response.ts';
import { createReport } from '../../gains/reports/create.ts';
import { selectTaxpayer } from '../../ledger/books/books.queries.ts';
import type { ImportDeps } from '../../ledger/imports/import-deps.ts';
import { selectImports } from '../../ledger/imports/imports.queries.ts';
import { runImport } from '../../ledger/imports/run.ts';
import { textUpload } from '../../ledger/imports/upload.ts';
import { readPrices } from '../../ledger/prices/read-prices.ts';
import { storePrices } from '../../ledger/prices/store.ts';
import { recompute } from '../../ledger/recompute/recompute.ts';
import { changeSettings } from '../../ledger/settings/settings.ts';
import { inTurn } from '../../ledger/transactions/turn.ts';
import type { Taxpayer } from '../../people/auth/access.ts';
import { updateTaxpayer } from '../../people/auth/auth.queries.ts';
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

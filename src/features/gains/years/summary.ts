import { formatCents } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import { engineVersion } from '../../../engine/replay.ts';
import { computeEtag, isNotModified } from '../../../http/etag.ts';
import { selectLastDay, selectTaxpayer } from '../../ledger/books/books.queries.ts';
import { readYear } from '../../ledger/books/books.ts';
import { summaryView } from '../../ledger/books/view.ts';
import { loadAssetNames } from '../../ledger/transactions/asset-names/asset-names.ts';
import { toElections } from '../../ledger/transactions/elections.ts';
import { parseCentsColumn } from '../../ledger/transactions/rows/rows.ts';
import { estimateGainTax } from '../planning/gain-tax.ts';
import { selectStakes } from './years.queries.ts';

/** Loads the stored totals of a year, its tax estimate and the amount at stake. The body is null if nothing changed. */
export async function loadSummary(sql: Sql, taxpayerId: string, year: number, request: Request) {
  const taxpayer = await selectTaxpayer(sql, taxpayerId);
  // The revision changes with the settings. The engine version changes with the rules of a release. A browser may have
  // stored the response of a release without the estimate.
  const etag = await computeEtag(taxpayer.revision, engineVersion, 'estimate', year);
  if (isNotModified(request, etag)) return { etag, body: null };
  const books = await readYear(sql, taxpayerId, year);
  const asOf = await selectLastDay(sql, taxpayerId);
  const { settings } = taxpayer;
  const elections = toElections(settings, taxpayer.time_zone);
  const summary = summaryView(books, elections.rules, { revision: taxpayer.revision, asOf });
  const nameOf = await loadAssetNames(
    sql,
    taxpayerId,
    summary.assets.map(({ asset }) => asset),
  );
  const isStatusStated = settings.filingStatus !== undefined || elections.filingStatusByYear.has(year);
  const { needs, estimate } = estimateGainTax(year, elections, isStatusStated, books);
  const stakes = await selectStakes(sql, taxpayerId, year);
  const body = {
    ...summary,
    assets: summary.assets.map((totals) => {
      const assetName = nameOf(totals.asset, totals.assetClass);
      return assetName === undefined ? totals : { ...totals, assetName };
    }),
    atStake: { dollars: formatCents(parseCentsColumn(stakes.dollars)), unknown: stakes.unknown },
    taxEstimate: estimate,
    taxEstimateNeeds: needs,
  };
  return { etag, body };
}

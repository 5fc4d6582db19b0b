import { Elysia } from 'elysia';
import type { Deps } from '../../deps.ts';
import { beforeBooks } from '../auth/access.ts';
import { allocationRoutes } from './allocation/routes.ts';
import { pairingRoutes } from './issues/pairing-routes.ts';
import { issueRoutes } from './issues/routes.ts';
import { lockRoutes } from './locks/routes.ts';
import { prospectRoutes } from './prospects/routes.ts';
import { currentBooks, renewStaleBooks } from './renew.ts';
import { calculationRoutes } from './tax/calculation-routes.ts';
import { lineRoutes } from './tax/line-routes.ts';
import { failAbandonedCalculations } from './tax/queries.ts';
import type { ReportMaker } from './tax/run-calculation.ts';
import { settingsRoutes } from './tax/settings-routes.ts';
import { summaryRoutes } from './tax/summary-routes.ts';

export interface GainsOptions {
  readonly makeReports: ReportMaker;
}

/** What follows from the transactions: years, lines, lots, and the elections that change them. */
export const gains = (deps: Deps, { makeReports }: GainsOptions) => {
  beforeBooks(deps, (taxpayerId) => currentBooks(deps, taxpayerId));
  return new Elysia({ prefix: '/tax' })
    .onStart(() => {
      sweep(deps).catch((error: unknown) => deps.log.error('calculations not swept', error));
      renewStaleBooks(deps).catch((error: unknown) => deps.log.error('books not renewed', error));
    })
    .use(summaryRoutes(deps))
    .use(lineRoutes(deps))
    .use(lockRoutes(deps))
    .use(prospectRoutes(deps))
    .use(issueRoutes(deps))
    .use(pairingRoutes(deps))
    .use(allocationRoutes(deps))
    .use(settingsRoutes(deps))
    .use(calculationRoutes(deps, makeReports));
};

/** Longer than any calculation takes, its turn in the line included. */
const runningSecondsMax = 1800;

/** Calculations that a restart cut off. */
async function sweep(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const problem = { code: 'interrupted', detail: 'The server was stopped during this calculation. Start it again.' };
  const begun = new Date(now.getTime() - runningSecondsMax * 1000);
  await deps.database.asService((sql) => failAbandonedCalculations(sql, begun, problem, now));
}

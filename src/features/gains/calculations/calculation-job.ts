import type { JobWork } from '../../../db/job-queue.ts';
import type { Deps } from '../../../deps.ts';
import { toFailure } from '../../../http/problems.ts';
import { inTurn } from '../../ledger/transactions/turn.ts';
import { type CalculationInput, type ReportMaker, runCalculation } from './calculation.ts';
import { failCalculation, selectCalculationInput } from './calculations.queries.ts';

/**
 * Runs calculations whose requests got a 202 response. If the server that accepted the request stops, another server
 * runs the calculation.
 */
export function calculationJobs(deps: Deps, makeReports: ReportMaker): JobWork {
  return {
    perform: async ({ taxpayerId, id }) => {
      await inTurn(deps, taxpayerId, async (sql) => {
        const input = await selectCalculationInput(sql, taxpayerId, id);
        // Null if the calculation already ran or was deleted with its books.
        if (input !== null) await runCalculation(deps, sql, taxpayerId, id, input as CalculationInput, makeReports);
      });
    },
    giveUp: async ({ taxpayerId, id }, error) => {
      deps.log.error('calculation failed', error);
      await deps.database.asTaxpayer(taxpayerId, (sql) =>
        failCalculation(sql, taxpayerId, id, toFailure(error), deps.clock.now()),
      );
    },
  };
}

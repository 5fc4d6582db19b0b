import type { OracleEvent } from '../../events/events.ts';
import { dollars, nothing, spread, sum } from '../../numbers.ts';
import { isRetirement, raise, remaining, type State, settle } from '../../state.ts';
import { affectedLots, lowerBasis, makeWhole } from './affected-lots.ts';

/**
 * Reduces the basis of a bond by its amortized premium: "Proper adjustment ... shall be made ... in the case of any
 * bond ... to the extent of the deductions allowable pursuant to section 171(a)(1)", or of the amount that reduced
 * interest (IRC 1016(a)(5)). Each unit of a bond gets the same adjustment. Premium is the cost above the bond's amount
 * (IRC 171(b)(1)), so it cannot exceed the basis, and never results in a gain.
 */
export function amortizePremium(state: State, event: OracleEvent): void {
  const { transaction } = event;
  if (transaction.amount === null) {
    raise(state, transaction.id, 'value_missing');
    return;
  }
  const lots = affectedLots(state, event);
  makeWhole(state, lots);
  const premium = settle(state, 'premium', transaction, dollars(transaction.amount));
  const units = lots.map(remaining);
  const shares = spread(premium, units, sum(units));
  const beyond = lots.map((lot, index) => ({ lot, excess: lowerBasis(lot, shares[index] ?? nothing) }));
  for (const lot of lots) lot.accretes = true;
  const isTooMuch = beyond.some(({ lot, excess }) => excess.gt(0) && !isRetirement(state, lot.account));
  if (lots.length === 0 || isTooMuch) raise(state, transaction.id, 'unreconciled');
}

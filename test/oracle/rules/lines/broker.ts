import type { Day } from '../../../../src/base/day.ts';
import type { Rules } from '../../../../src/engine/model.ts';
import type { Loss, OracleLine, OracleLot } from '../../model.ts';
import { type Exact, isLongTerm, least, nothing } from '../../numbers.ts';
import { boxOf } from './box.ts';

/** How the broker that executed a sale treated its loss. The broker computes the shares from its own books. */
export interface BrokersLoss {
  readonly account: string;
  readonly isOption: boolean;
  /** The part of the loss that the broker did not recognize, and whether it recognized any of it. */
  readonly hidden: Exact;
  readonly sawLoss: boolean;
  readonly days: number;
  readonly since: Day;
}

export function brokersLoss({ line, account, soldOn }: Loss): BrokersLoss {
  const loss = line.basis.minus(line.proceeds);
  return {
    account,
    isOption: line.assetClass === 'option',
    hidden: least(line.hidden, loss),
    sawLoss: line.hidden.lt(loss),
    days: soldOn - line.brokerSince,
    since: line.brokerSince,
  };
}

/**
 * Returns true if a broker reports the wash sale: within one account and one security (1.6045-1(d)(6)(iii)). A call is
 * a different security from its stock.
 */
export function isOneBrokers(loss: BrokersLoss, place: string, lot: OracleLot): boolean {
  return place === lot.account && loss.isOption === (lot.assetClass === 'option');
}

/**
 * Returns how much the broker's reported basis, at least zero, lacks, and whether the broker's term differs (rows B and
 * T).
 */
export function brokersColumns(line: OracleLine, rules: Rules): { readonly missing: Exact; readonly term: boolean } {
  if (line.isReported || !'ADGJ'.includes(boxOf(line, rules))) return { missing: nothing, term: false };
  const termBy = (since: Day): OracleLine['term'] =>
    line.inherited || isLongTerm(since, line.sold) ? 'long' : 'short';
  const missing = least(line.hidden, line.basis);
  return {
    missing: missing.gt(0) ? missing : nothing,
    // A term that differs for reasons other than the holding period is handled elsewhere.
    term: line.term === termBy(line.heldSince) && line.term !== termBy(line.brokerSince),
  };
}

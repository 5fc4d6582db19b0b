import { sum } from '../cells/amounts.ts';
import type { Draft, Outcome, Reader, Row } from '../format.ts';

/** A day with more rows is released in parts: this bounds memory and the search for deliveries. */
const heldMax = 2000;

/**
 * Joins the two rows of an exercise or assignment. Brokers state it twice: the option that ends, and the shares
 * delivered as an ordinary purchase or sale at the strike on the same day. The books need it once. Rows of one day are
 * adjacent in every export, and are held back until another day begins.
 */
export function withDeliveries(reader: Reader): Reader {
  let day: number | undefined;
  let held: Outcome[] = [];
  const take = (outcomes: readonly Outcome[]): Outcome[] => {
    const released: Outcome[] = [];
    for (const outcome of outcomes) {
      const on = outcome.kind === 'read' ? outcome.drafts[0]?.on : undefined;
      if (on !== undefined && (on !== day || held.length >= heldMax)) {
        released.push(...joinDeliveries(held));
        [day, held] = [on, []];
      }
      if (outcome.kind === 'read') held.push(outcome);
      else released.push(outcome);
    }
    return released;
  };
  return {
    read: (row: Row) => take(reader.read(row)),
    end: () => {
      const rest = take(reader.end());
      return [...rest, ...joinDeliveries(held)];
    },
  };
}

function joinDeliveries(outcomes: readonly Outcome[]): Outcome[] {
  const joined = [...outcomes];
  for (const outcome of outcomes) {
    const option = outcome.kind === 'read' ? outcome.drafts[0] : undefined;
    if (option === undefined || (option.type !== 'assign' && option.type !== 'exercise')) continue;
    const at = joined.findIndex((other) => other.kind === 'read' && isDelivery(other.drafts, option));
    const delivery = joined[at];
    if (delivery?.kind !== 'read' || outcome.kind !== 'read') continue;
    const shares = delivery.drafts[0];
    if (shares === undefined) continue;
    joined.splice(at, 1);
    const lines = [...outcome.lines, ...delivery.lines].sort((a, b) => a - b);
    const draft: Draft = { ...option, amount: shares.amount, fee: sum(option.fee, shares.fee) };
    joined[joined.indexOf(outcome)] = { kind: 'read', lines, drafts: [draft] };
  }
  return joined;
}

/**
 * Whether a draft is the delivery of an option. Exercised calls and assigned puts bring shares; exercised puts and
 * assigned calls take them.
 */
function isDelivery(drafts: readonly Draft[], option: Draft): boolean {
  const [draft] = drafts;
  const bought = (option.type === 'exercise') === (option.right === 'call');
  return (
    draft !== undefined &&
    drafts.length === 1 &&
    draft.type === (bought ? 'buy' : 'sell') &&
    draft.asset === option.underlying &&
    draft.account === option.account &&
    draft.quantity === option.shares &&
    isNear(draft.amount, option.amount)
  );
}

/** Whether two amounts differ by at most a cent per share: brokers net small regulatory fees. */
function isNear(stated: bigint | null, strikeTotal: bigint | null): boolean {
  if (stated === null || strikeTotal === null) return true;
  const distance = stated > strikeTotal ? stated - strikeTotal : strikeTotal - stated;
  return distance * 1000n <= (strikeTotal < 0n ? -strikeTotal : strikeTotal);
}

import { sum } from '../cells/amounts.ts';
import type { Draft, Outcome, Reader, Row } from '../format.ts';

/** A day of more rows is released in parts: memory and the search for deliveries stay bounded. */
const heldMax = 2000;

/**
 * Brokers state an exercise or assignment twice: the option that goes, and the shares that are delivered as an ordinary
 * purchase or sale at the strike, the same day. The books want it once, so the second row joins the first. Rows of one
 * day stand together in every export; the day is held back until another begins.
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

/** Calls exercised and puts assigned bring shares; puts exercised and calls assigned take them. */
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

/** Within a cent a share: brokers net small regulatory fees. */
function isNear(stated: bigint | null, strikeTotal: bigint | null): boolean {
  if (stated === null || strikeTotal === null) return true;
  const distance = stated > strikeTotal ? stated - strikeTotal : strikeTotal - stated;
  return distance * 1000n <= (strikeTotal < 0n ? -strikeTotal : strikeTotal);
}

import { sell } from './dispose.ts';
import type { OracleEvent } from './events.ts';
import { heldLots } from './lots.ts';
import { dollars, type Exact, isLongTerm, least, most, nothing, sum, units } from './numbers.ts';
import { isRetirement, isSame, lineOfEvent, placeOf, raise, remaining, settle } from './state.ts';
import { type Told, tellForm } from './told.ts';
import type { OracleLine, State } from './words.ts';

/**
 * A broker's form tells what the history of that account and day may have told already: that is the same sale. What
 * only the form tells is sold from the lots the history holds, or stands as told.
 */
export function report(state: State, event: OracleEvent): void {
  const { transaction } = event;
  const told = units(transaction.quantity);
  if (transaction.amount === null) raise(state, transaction.id, 'value_missing');
  const known = told.gt(0) ? knownUnits(state, event, told) : nothing;
  if (known.gt(0) && known.equals(told)) return;
  if (known.gt(0)) raise(state, transaction.id, 'unreconciled');
  const rest = told.minus(known);
  const part = (amount: bigint | null): Exact =>
    known.isZero() ? dollars(amount) : dollars(amount).times(rest).div(told).toDecimalPlaces(8);
  const from = state.lines.length;
  sellRest(state, event, rest, part);
  for (const line of state.lines.slice(from)) state.reported.set(line, line.quantity);
}

function sellRest(state: State, event: OracleEvent, quantity: Exact, part: (amount: bigint | null) => Exact): void {
  const { transaction, on } = event;
  const { account, asset, assetClass } = transaction;
  const held = heldLots(state, placeOf(state, account, assetClass, on), asset, assetClass);
  if (quantity.gt(0) && sum(held.map(remaining)).gte(quantity)) {
    if (transaction.amount === null && !isRetirement(state, account)) raise(state, transaction.id, 'value_missing');
    sell(state, event, { asset, assetClass, account, quantity, proceeds: part(transaction.amount) });
    return;
  }
  if (isRetirement(state, account)) return;
  if (transaction.basis === null) raise(state, transaction.id, 'basis_missing');
  const acquired = transaction.acquired ?? on;
  state.lines.push({
    ...lineOfEvent(event),
    acquired,
    heldSince: acquired,
    quantity,
    adjustment: settle(state, 'wash', transaction, part(transaction.wash)),
    proceeds: settle(state, 'proceeds', transaction, part(transaction.amount)),
    basis: settle(state, 'basis', transaction, part(transaction.basis)),
    term: transaction.term ?? (isLongTerm(acquired, on) ? 'long' : 'short'),
    basisUnknown: transaction.basis === null,
    covered: transaction.basis !== null,
    stated: transaction.box,
  });
}

/** Units of the account's own lines of that day that no other row of a form has told. */
function knownUnits(state: State, event: OracleEvent, told: Exact): Exact {
  const { transaction, on } = event;
  if (isRetirement(state, transaction.account)) return knownInRetirement(state, event, told);
  const free = (line: OracleLine): Exact => line.quantity.minus(state.reported.get(line) ?? nothing);
  const lines = state.lines.filter(
    (line) =>
      line.on === on &&
      line.account === transaction.account &&
      isSame(line, transaction.asset, transaction.assetClass) &&
      free(line).gt(0),
  );
  const acquiredThen = lines.filter((line) => line.acquired === transaction.acquired);
  let known = nothing;
  const parts: Told[] = [];
  for (const line of [...acquiredThen, ...lines.filter((one) => !acquiredThen.includes(one))]) {
    const quantity = least(free(line), told.minus(known));
    if (quantity.lte(0)) break;
    known = known.plus(quantity);
    parts.push({ line, quantity });
    state.reported.set(line, (state.reported.get(line) ?? nothing).plus(quantity));
    if (transaction.box !== null) line.stated = transaction.box;
  }
  if (known.equals(told)) tellForm(state, event, parts);
  return known;
}

/** What an IRA sells leaves no line: what its rows sold that day is what a form may tell again. */
function knownInRetirement(state: State, event: OracleEvent, told: Exact): Exact {
  const { asset, assetClass, account } = event.transaction;
  const today = (types: readonly string[], all: readonly OracleEvent[]): Exact =>
    sum(
      all
        .filter(({ on, transaction }) => on === event.on && types.includes(transaction.type))
        .filter(({ transaction }) => transaction.account === account && isSame(transaction, asset, assetClass))
        .map(({ transaction }) => units(transaction.quantity)),
    );
  const sales = state.events.filter((one) => one.role === 'dispose');
  const before = today(['reported_sale'], sales.slice(0, sales.indexOf(event)));
  const sold = today(['sell', 'sell_to_close'], sales);
  return most(nothing, least(sold.minus(before), told));
}

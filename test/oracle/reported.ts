import { sell } from './dispose.ts';
import type { OracleEvent } from './events.ts';
import { heldLots } from './lots.ts';
import { cents, dollars, type Exact, isLongTerm, least, most, nothing, portion, sum, units } from './numbers.ts';
import { isRetirement, isSame, lineOfEvent, placeOf, raise, remaining, settle } from './state.ts';
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
  const free = (line: OracleLine): Exact => line.quantity.minus(state.reported.get(line) ?? nothing);
  const lines = state.lines.filter(
    (line) =>
      line.on === on &&
      line.account === transaction.account &&
      isSame(line, transaction.asset, transaction.assetClass) &&
      free(line).gt(0),
  );
  const acquiredThen = lines.filter((line) => line.acquired === transaction.acquired);
  let [known, proceeds, basis] = [nothing, nothing, nothing];
  for (const line of [...acquiredThen, ...lines.filter((one) => !acquiredThen.includes(one))]) {
    const part = least(free(line), told.minus(known));
    if (part.lte(0)) break;
    known = known.plus(part);
    proceeds = proceeds.plus(portion(line.proceeds, nothing, part, line.quantity));
    basis = basis.plus(portion(line.basis, nothing, part, line.quantity));
    state.reported.set(line, (state.reported.get(line) ?? nothing).plus(part));
    if (transaction.box !== null) line.stated = transaction.box;
  }
  const apart = (amount: bigint | null, own: Exact): Exact =>
    amount === null ? nothing : cents(dollars(amount)).minus(own).abs();
  if (known.equals(told) && most(apart(transaction.amount, proceeds), apart(transaction.basis, basis)).gt(1)) {
    raise(state, transaction.id, 'unreconciled');
  }
  return known;
}

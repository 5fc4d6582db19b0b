import { formatDay, formatInstant } from '../../../src/base/day.ts';
import { formatMoney, formatQuantity } from '../../../src/base/decimal.ts';
import type { Rules, Transaction } from '../../../src/engine/model.ts';
import { defaultRules } from '../../support/golden.ts';

/** Writes a history as readable text, for the message of a failing property. */
export function notationOf(history: readonly Transaction[], rules: Rules): string[] {
  const elections = Object.entries(rules).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(defaultRules[name as keyof Rules]),
  );
  return [...elections.map(([name, value]) => `${name}=${JSON.stringify(value)}`), ...history.map(rowOf)];
}

function rowOf(row: Transaction): string {
  const words = [row.id, row.at === null ? formatDay(row.on) : formatInstant(row.at), row.type, row.account, row.asset];
  for (const name of ['quantity', 'receivedQuantity', 'feeQuantity', 'shares'] as const) {
    if (row[name] !== null) words.push(`${name}=${formatQuantity(row[name])}`);
  }
  for (const name of [
    'amount',
    'fee',
    'feeOwn',
    'basis',
    'fmv',
    'wash',
    'accruedInterest',
    'marketDiscount',
  ] as const) {
    if (row[name] !== null) words.push(`${name}=${formatMoney(row[name])}`);
  }
  for (const name of ['receivedAsset', 'feeAsset', 'toAccount', 'underlying', 'term'] as const) {
    if (row[name] !== '' && row[name] !== null) words.push(`${name}=${row[name]}`);
  }
  if (row.ratio !== null) words.push(`ratio=${row.ratio.numerator}:${row.ratio.denominator}`);
  if (row.acquired !== null) words.push(`acquired=${formatDay(row.acquired)}`);
  if (row.maturity !== null) words.push(`maturity=${formatDay(row.maturity)}`);
  if (row.lots.length > 0)
    words.push(`lots=${row.lots.map((lot) => `${lot.label}:${formatQuantity(lot.quantity)}`).join(';')}`);
  if (row.identifiedAt !== null) words.push(`identified_at=${formatInstant(row.identifiedAt)}`);
  if (row.currency !== 'USD') words.push(row.currency);
  if (row.box !== null) words.push(`box=${row.box}`);
  if (row.assetClass !== 'stock') words.push(`(${row.assetClass})`);
  return words.join(' ');
}

import { skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { findLabelType, incomeLabels } from '../tables/kinds.ts';
import { readSide } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';

/**
 * Reads Zerion's history of an Ethereum wallet: assets bought, assets sold and gas, with their values. Date and time
 * are UTC.
 */
export const zerion = coinFormat({ id: 'zerion', name: 'Zerion wallet history', source: 'Zerion' }, [
  {
    id: 'history',
    header: `Date | Time | Transaction Type | Status | Accounting Type | Buy Amount | Buy Currency | Sell Amount |
      Sell Currency | Fee Amount | Fee Currency | Tx Hash`,
    read: readRow,
  },
]);

function readRow(cells: Cells): Outcome {
  const received = readSide(cells, 'Buy Currency', 'Buy Amount');
  const given = readSide(cells, 'Sell Currency', 'Sell Amount');
  const fee = readSide(cells, 'Fee Currency', 'Fee Amount');
  const side = received === null ? 'Sell' : 'Buy';
  const worth =
    cells.text(`${side} Fiat Currency`).toUpperCase() === 'USD' ? cells.roundedMoney(`${side} Fiat Amount`) : null;
  const time = cells.parseTime('Date', `${cells.text('Date')} ${cells.text('Time')}`.trim());
  if (!/^confirmed$/i.test(cells.text('Status'))) return cells.skip(skips.transferNotCompleted);
  // Incoming units always have the accounting type "Income", even if they come from the user's own wallet, so the
  // transaction type decides.
  const word = cells.text('Transaction Type').toLowerCase();
  const earned = given === null && /^(?:claim(?: rewards?)?|(?:staking )?rewards?|airdrop|staking)$/.test(word);
  const kind = earned ? (findLabelType(word, incomeLabels) ?? 'other_income') : null;
  const common = { externalId: cells.text('Tx Hash'), note: cells.text('Application') };
  return readMovement(cells, time, { given, received, fee, kind, worth }, common);
}

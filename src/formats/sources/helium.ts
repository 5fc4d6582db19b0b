import { rejections } from '../cells/reasons.ts';
import { type Cells, coinFormat, type Outcome, rowsInGroups } from '../reader.ts';
import { readMovement } from '../tables/movements.ts';
import { OwnAddress } from '../tables/own-address.ts';
import { readUnits } from '../tables/pairs.ts';

/**
 * Reads Helium wallet files until 2023: coverage rewards with their value, and payments. The payer paid the fee, so
 * fees on incoming rows are ignored. A payment's value (`usd_amount`) is not income, because the coins only moved. No
 * column identifies the user's address, which is the one that appears in every row. Times are UTC.
 */
export const helium = coinFormat(
  { id: 'helium', name: 'Helium wallet activity', source: 'Helium' },
  [
    {
      id: 'activity',
      header: 'block | date | type | transaction_hash | hnt_amount | hnt_fee | usd_amount | payer | payee',
    },
  ],
  rowsInGroups(
    () => new OwnAddress(),
    (cells, ownAddress) => {
      const [from, to] = [cells.text('payer'), cells.text('payee')];
      return ownAddress.add({ from, to, outcome: (mine) => readRow(cells, from, to, mine) });
    },
  ),
);

function readRow(cells: Cells, payer: string, payee: string, mine: string | null): Outcome {
  const [units, fee] = [readUnits(cells, 'hnt_amount', 'HNT'), readUnits(cells, 'hnt_fee', 'HNT')];
  const [worth, feeWorth] = [cells.roundedMoney('usd_amount'), cells.roundedMoney('usd_fee')];
  const time = cells.time('date');
  const type = cells.text('type').toLowerCase();
  const common = { externalId: cells.text('transaction_hash') };
  if (cells.flawed) return cells.refused();
  if (mine === null || (mine !== payer && mine !== payee)) return cells.rejected('payer', rejections.ownAddressUnclear);
  if (/^(?:rewards?|subnetwork_rewards)(?:_v\d)?$/.test(type) && mine === payee)
    return readMovement(cells, time, { received: cells.need('hnt_amount', units), kind: 'mining', worth }, common);
  if (!/^payments?(?:_v\d)?$/.test(type)) return cells.rejected('type', rejections.unknownType);
  if (payer === payee) return readMovement(cells, time, { fee, feeWorth }, common);
  cells.need('hnt_amount', units);
  const sides = mine === payer ? { given: units, fee, feeWorth } : { received: units };
  return readMovement(cells, time, { ...sides }, common);
}

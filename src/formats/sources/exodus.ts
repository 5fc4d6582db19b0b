import { rejections } from '../cells/reasons.ts';
import { plainDate } from '../cells/times.ts';
import { type Cells, coinFormat, type Outcome } from '../reader.ts';
import { readSide, readUnitSide } from '../tables/legs.ts';
import { oneWay, readMovement } from '../tables/movements.ts';

/**
 * Reads three Exodus layouts: sent and received amounts in separate columns, one amount with its unit (`-0.5 BTC`) and
 * a direction, and staking rewards. Dates look like `Thu Jul 08 2021 10:35:21 GMT-0400 (Eastern Daylight Time)`.
 */
export const exodus = coinFormat({ id: 'exodus', name: 'Exodus wallet history', source: 'Exodus' }, [
  {
    id: 'legs',
    header: 'DATE | TYPE | OUTAMOUNT | OUTCURRENCY | FEEAMOUNT | FEECURRENCY | INAMOUNT | INCURRENCY',
    read: readLegs,
  },
  { id: 'amounts', header: 'TXID | DATE | TYPE | COINAMOUNT | FEE | BALANCE | PERSONALNOTE', read: readAmount },
  {
    id: 'staking',
    header: 'Type | Buy | Cur. | Exchange | Group | Comment | Date',
    evidence: { column: 'Exchange', says: /^exodus/i },
    read: readStaking,
  },
]);

function readStaking(cells: Cells): Outcome {
  const earned = cells.need('Buy', readSide(cells, 'Cur.', 'Buy'));
  const time = cells.time('Date');
  if (!/^staking$/i.test(cells.text('Type'))) return cells.rejected('Type', rejections.unknownType);
  const movement = { received: earned, kind: 'staking' } as const;
  return readMovement(cells, time, movement, { note: cells.text('Comment') });
}

function readLegs(cells: Cells): Outcome {
  const given = readSide(cells, 'OUTCURRENCY', 'OUTAMOUNT');
  const received = readSide(cells, 'INCURRENCY', 'INAMOUNT');
  const fee = readSide(cells, 'FEECURRENCY', 'FEEAMOUNT');
  const time = cells.parseTime('DATE', plainDate(cells.text('DATE')));
  const externalId = cells.text('OUTTXID') || cells.text('INTXID');
  const movement = { given, received, fee };
  return readMovement(cells, time, movement, { externalId, note: cells.text('PERSONALNOTE') });
}

function readAmount(cells: Cells): Outcome {
  const amount = readUnitSide(cells, 'COINAMOUNT');
  const fee = readUnitSide(cells, 'FEE');
  const time = cells.parseTime('DATE', plainDate(cells.text('DATE')));
  const type = cells.text('TYPE').toLowerCase();
  if (cells.flawed) return cells.refused();
  if (type !== 'deposit' && type !== 'withdrawal')
    return cells.rejected('TYPE', rejections.neitherDepositNorWithdrawal);
  cells.need('COINAMOUNT', amount);
  const common = { externalId: cells.text('TXID'), note: cells.text('PERSONALNOTE') };
  return readMovement(cells, time, oneWay(type === 'withdrawal', amount, fee), common);
}

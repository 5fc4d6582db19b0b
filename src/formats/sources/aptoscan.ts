import { Cells, HeaderColumns } from '../cells/cells.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { readEpoch } from '../cells/times.ts';
import { coinFormat, type Outcome } from '../reader.ts';
import { readMovement } from '../tables/movements.ts';
import { OwnAddress } from '../tables/own-address.ts';
import { readUnits } from '../tables/pairs.ts';

const rowColumns = 'Version | Block | Time | From | To | Fee | Success';

/**
 * Reads two Aptoscan files. One lists an address's transactions, and only the fee in it belongs to the address. The
 * other lists its coin transfers and repeats that fee. The fee becomes a separate row in both, so that importing both
 * files counts it once. Times are microseconds since 1970. No column identifies the user's address, which is the one
 * that appears in every row.
 */
export const aptoscan = coinFormat(
  { id: 'aptoscan', name: 'Aptoscan transactions and coin transfers', source: 'Aptos' },
  [
    { id: 'coins', header: `${rowColumns} | Coin_Type | Amount` },
    { id: 'transactions', header: `${rowColumns} | Function` },
  ],
  (_layout, header, context) => {
    const columns = new HeaderColumns(header);
    const ownAddress = new OwnAddress();
    const charged = new ChargedOnce();
    return {
      read: (row) => {
        const cells = new Cells(row, columns, context);
        const [from, to] = [cells.text('From').toLowerCase(), cells.text('To').toLowerCase()];
        const addresses = { from, to, zone: context.timeZone };
        return ownAddress.add({ from, to, outcome: (mine) => readRow(cells, { ...addresses, mine }, charged) });
      },
      end: () => ownAddress.end(),
    };
  },
);

/** Counts a transaction's fee once, although it appears in the row of each coin. */
class ChargedOnce {
  private version = '';

  isNew(version: string): boolean {
    const isNew = version === '' || version !== this.version;
    this.version = version;
    return isNew;
  }
}

interface AptosAddresses {
  readonly from: string;
  readonly to: string;
  readonly mine: string | null;
  readonly zone: string;
}

function readRow(cells: Cells, { from, to, mine, zone }: AptosAddresses, charged: ChargedOnce): Outcome {
  const moved = readUnits(cells, 'Amount', readCoin(cells.text('Coin_Type')));
  const fee = readUnits(cells, 'Fee', 'APT');
  const text = cells.text('Time');
  const time = /^\d{16}$/.test(text) ? (readEpoch(text.slice(0, 13), zone) ?? null) : null;
  if (time === null) cells.reject('Time', rejections.notMicroseconds);
  if (cells.flawed) return cells.refused();
  if (mine === null || (mine !== from && mine !== to)) return cells.rejected('From', rejections.ownAddressUnclear);
  const common = { externalId: cells.text('Version'), note: cells.text('Function') };
  const paysFee = mine === from && fee !== null && charged.isNew(cells.text('Version'));
  const paid = paysFee ? readMovement(cells, time, { fee }, common) : null;
  // A failed transaction moves no coins but still has a fee.
  const isMove = moved !== null && from !== to && /^true$/i.test(cells.text('Success'));
  if (!isMove) return paid ?? cells.skip(skips.nothingAtAddress);
  const sides = mine === from ? { given: moved } : { received: moved };
  const outcome = readMovement(cells, time, { ...sides }, common);
  if (outcome.kind !== 'read' || paid?.kind !== 'read') return outcome;
  return { ...outcome, drafts: [...outcome.drafts, ...paid.drafts] };
}

/** Returns `APT` for `0x1::aptos_coin::AptosCoin`, because the last part names the coin. */
function readCoin(type: string): string {
  const name = type.split('::').at(-1) ?? '';
  return name === 'AptosCoin' ? 'APT' : name;
}

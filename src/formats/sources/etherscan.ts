import type { Quantity } from '../../base/decimal.ts';
import { rejections, skips } from '../cells/reasons.ts';
import { type Cells, coinFormat, type HeaderColumns, type Outcome, rowsInGroups } from '../reader.ts';
import type { Side } from '../tables/legs.ts';
import { oneWay, readMovement } from '../tables/movements.ts';
import { OwnAddress } from '../tables/own-address.ts';
import { readUnits } from '../tables/pairs.ts';

const tokenColumns = 'UnixTimestamp | From | To | ContractAddress | TokenName | TokenSymbol';

/**
 * Reads files from Etherscan and similar explorers: an address's transactions and internal transactions, whose coin is
 * in the header (`Value_IN(ETH)`) or is the chain's own, and its transfers of tokens and NFTs. No column identifies the
 * user's address, which is the one that appears in every row. The sender pays the gas, so the user does not pay for
 * incoming rows. A failed transaction costs only gas, even if the row has a value. `CurrentValue` is as of the download
 * date, and `ParentTxETH_Value` belongs to the parent transaction, so both are ignored. Times are seconds since 1970.
 */
export const etherscan = coinFormat(
  { id: 'etherscan', name: 'Etherscan transactions and token transfers', source: 'Ethereum', zone: 'local' },
  [
    {
      id: 'transactions',
      header: 'Blockno | UnixTimestamp | From | To | ContractAddress | TxnFee(USD) | Status | ErrCode',
    },
    {
      id: 'internal',
      header: 'Blockno | UnixTimestamp | ParentTxFrom | ParentTxTo | From | TxTo | Status | ErrCode | Type',
    },
    { id: 'nfts', header: `${tokenColumns} | Token ID` },
    { id: 'nfts-until-2023', header: `${tokenColumns} | TokenId` },
    { id: 'tokens', header: `${tokenColumns} | TokenValue` },
    { id: 'tokens-until-2023', header: `${tokenColumns} | Value` },
  ],
  rowsInGroups(
    () => new OwnAddress(),
    (cells, ownAddress, { layout, columns }) => {
      const read = readers[layout.id] ?? readToken;
      const receiver = readAddress(cells, cells.has('To') ? 'To' : 'TxTo');
      const [from, to] = [readAddress(cells, 'From'), receiver || readAddress(cells, 'ContractAddress')];
      const findDirection = (mine: string | null): TransferDirection =>
        mine === null ? null : from === mine ? 'out' : to === mine ? 'in' : null;
      return ownAddress.add({ from, to, outcome: (mine) => read(cells, columns, findDirection(mine)) });
    },
  ),
);

type TransferDirection = 'in' | 'out' | null;

const readers: Readonly<
  Record<string, (cells: Cells, columns: HeaderColumns, direction: TransferDirection) => Outcome>
> = { transactions: readTransaction, internal: readInternal };

function readAddress(cells: Cells, column: string): string {
  return cells.text(column).toLowerCase();
}

/** Finds the column and the coin in its name: `Value_IN(ETH)`. */
function coinColumn(columns: HeaderColumns, start: RegExp): { readonly column: string; readonly coin: string } {
  const column = columns.names.find((name) => start.test(name) && !/\(usd\)/i.test(name)) ?? '';
  return { column, coin: /\((\w+)\)/.exec(column)?.[1] ?? '' };
}

/** The gas coin by chain id, because multichain explorers always write ETH in the header. */
const coinOfChain: ReadonlyMap<string, string> = new Map([
  ['1', 'ETH'],
  ['10', 'ETH'],
  ['56', 'BNB'],
  ['137', 'POL'],
  ['8453', 'ETH'],
  ['42161', 'ETH'],
  ['43114', 'AVAX'],
]);

function readTransaction(cells: Cells, columns: HeaderColumns, direction: TransferDirection): Outcome {
  const chain = cells.text('ChainId');
  const [came, went, gas] = [/^value_in\(/i, /^value_out\(/i, /^txnfee\(/i].map((start) => {
    const { column, coin } = coinColumn(columns, start);
    return readUnits(cells, column, chain === '' ? coin : coinOfChain.get(chain));
  });
  const time = cells.epoch('UnixTimestamp');
  if (cells.has('ChainId')) return cells.rejected('ChainId', rejections.chainMissing);
  const failed = !/^(?:|0|1|success|ok)$/i.test(cells.text('Status'));
  const common = { externalId: hashOf(cells), note: cells.text('Method') };
  const fee = gas ?? null;
  if (!failed && came != null && went != null) return cells.rejected('From', rejections.inAndOutUnits);
  if (!failed && came != null) return readMovement(cells, time, { received: came }, common);
  if (!failed && went != null) return readMovement(cells, time, { given: went, fee }, common);
  if (direction === null) return cells.rejected('From', rejections.ownAddressUnclear);
  return direction === 'out' && fee !== null
    ? readMovement(cells, time, { fee }, common)
    : cells.skip(skips.nothingAtAddress);
}

/** Reads units moved by a contract. The gas belongs to the transaction that called it. */
function readInternal(cells: Cells, columns: HeaderColumns): Outcome {
  const [came, went] = [/^value_in\(/i, /^value_out\(/i].map((start) => {
    const { column, coin } = coinColumn(columns, start);
    return readUnits(cells, column, coin) ?? null;
  });
  const time = cells.epoch('UnixTimestamp');
  if (cells.flawed) return cells.refused();
  // Status 1 means success or failure, depending on the file's age. Failures also have an error code.
  const failed = cells.text('ErrCode') !== '' || !/^(?:|0|1|success|ok)$/i.test(cells.text('Status'));
  if (failed) return cells.skip(skips.transferFailed);
  if (came === null && went === null) return cells.skip(skips.nothingAtAddress);
  if (came !== null && went !== null) return cells.rejected('From', rejections.inAndOutUnits);
  const movement = { given: went ?? null, received: came ?? null };
  return readMovement(cells, time, movement, { externalId: hashOf(cells), note: cells.text('Type') });
}

function readToken(cells: Cells, _columns: HeaderColumns, direction: TransferDirection): Outcome {
  const time = cells.epoch('UnixTimestamp');
  const moved = readTokenSide(cells);
  if (direction === null) return cells.rejected('From', rejections.ownAddressUnclear);
  cells.need('TokenSymbol', moved);
  const sides = oneWay(direction === 'out', moved);
  const common = { externalId: hashOf(cells), note: cells.text('TokenName') };
  const assetClass = collectible(cells) === '' ? {} : ({ assetClass: 'nft' } as const);
  return readMovement(cells, time, sides, { ...common, ...assetClass });
}

function readTokenSide(cells: Cells): Side | null {
  const symbol = cells.text('TokenSymbol');
  const id = collectible(cells);
  if (id === '') return readUnits(cells, cells.has('TokenValue') ? 'TokenValue' : 'Value', symbol);
  if (cells.has('Quantity')) return readUnits(cells, 'Quantity', `${symbol} #${id}`);
  return { asset: `${symbol} #${id}`.toUpperCase(), quantity: one };
}

const one = (10n ** 18n) as Quantity;

/** Returns the id of a unique token (NFT). '' for a fungible token. */
function collectible(cells: Cells): string {
  return cells.text('Token ID') || cells.text('TokenId');
}

function hashOf(cells: Cells): string {
  return cells.text('Txhash') || cells.text('Transaction Hash');
}

import { isTimeZone } from '../base/day.ts';
import {
  type AssetClass,
  assetClasses,
  type Box,
  boxes,
  type Term,
  type TransactionType,
  transactionTypes,
} from '../engine/model.ts';
import { Cells, Columns } from './cells.ts';
import type { Stated } from './drafts.ts';
import type { Format, Layout, Outcome, Reader, ReadingContext, Row } from './format.ts';
import { LotbookCells } from './lotbook-cells.ts';
import { columnsOfType, zoneColumn } from './lotbook-columns.ts';
import { formatOption, readOption } from './option-symbol.ts';
import type { Time } from './times.ts';

export { writeHeader, writeLine, writeLotbook } from './lotbook-write.ts';

/** The universal format: every kind of transaction can be written in it (API.md section 4). */
export const lotbook: Format = {
  id: 'lotbook',
  name: 'Lotbook CSV',
  source: 'Lotbook',
  assetClass: null,
  actionsReachEveryAccount: true,
  layouts: [{ id: 'universal', required: ['date', 'type', 'asset'] }],
  open: (_layout: Layout, header: Row, context: ReadingContext): Reader => {
    const columns = new Columns(header);
    return {
      read: (row) => [
        hasMore(row, header)
          ? new Cells(row, columns, context).rejected(null, 'too_many_cells', tooMany)
          : readZoned(row, columns, context),
      ],
      end: () => [],
    };
  },
};

const tooMany = 'the line has more cells than the header: a comma inside a number or a text wants quotes around it';

/** `1,000` without quotes is two cells, and every one after it stands under another's name. Empty ones do no harm. */
function hasMore(row: Row, header: Row): boolean {
  return row.cells.slice(header.cells.length).some((cell) => cell.trim() !== '');
}

/** A row that names the zone of its day, as exports do, is read in it whatever the reader's own is. */
function readZoned(row: Row, columns: Columns, context: ReadingContext): Outcome {
  const cells = new Cells(row, columns, context);
  const timeZone = cells.text(zoneColumn);
  if (timeZone === '') return readRow(cells, context);
  if (!isTimeZone(timeZone)) return cells.rejected(zoneColumn, 'bad_zone', 'this is no time zone, as America/New_York');
  const zoned = { ...context, timeZone };
  const outcome = readRow(new Cells(row, columns, zoned), zoned);
  if (outcome.kind !== 'read') return outcome;
  return { ...outcome, drafts: outcome.drafts.map((draft) => ({ ...draft, timeZone })) };
}

/** What a type needs is said in columnsOfType; these need one of two. */
function readRow(cells: Cells, context: ReadingContext): Outcome {
  const type = typeOf(cells);
  if (type === undefined) return cells.refused();
  const time = timeOf(cells, context);
  const used = columnsOfType[type];
  const stated = statedBy(new LotbookCells(cells, used, context), type);
  for (const column of used.needs) if (cells.text(column) === '') cells.need(column, null);
  if (type === 'split' && stated.ratio === null) cells.need('ratio', stated.quantity ?? null);
  if (type === 'merger' && stated.ratio === null) cells.need('ratio', stated.receivedQuantity ?? null);
  return cells.read(time, stated);
}

function typeOf(cells: Cells): TransactionType | undefined {
  const text = cells
    .text('type')
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  const type = transactionTypes.find((known) => known === text);
  if (text === '') cells.reject('type', 'missing', 'the type is missing');
  else if (type === undefined) cells.reject('type', 'unknown_type', 'this is no type of the Lotbook CSV');
  return type;
}

const isoDate = /^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?(?:[Zz]|UTC|[+-]\d{2}:\d{2}))?)?$/;

function timeOf(cells: Cells, context: ReadingContext): Time | null {
  const text = cells.text('date');
  // 03/04/2025 is March in one country and April in the next: the universal format does not guess.
  if (text !== '' && !isoDate.test(text)) {
    cells.reject('date', 'bad_date', 'a date reads YYYY-MM-DD, YYYY-MM-DD HH:MM:SS or as in RFC 3339');
    return null;
  }
  return cells.timeOf('date', text, context.timeZone);
}

function statedBy(cells: LotbookCells, type: TransactionType): Stated {
  const option = readOption(cells.text('asset'));
  const stated: Stated = {
    type,
    account: cells.common('account'),
    asset: option === undefined ? cells.text('asset') : formatOption(option),
    assetClass: cells.choice('asset_class', assetClasses, 'common') as AssetClass | null,
    quantity: cells.quantity('quantity'),
    amount: cells.signedMoney('amount'),
    fee: cells.signedMoney('fee'),
    currency: cells.currency(),
    receivedAsset: cells.text('received_asset'),
    receivedQuantity: cells.quantity('received_quantity'),
    feeAsset: cells.text('fee_asset'),
    feeQuantity: cells.quantity('fee_quantity'),
    feeOwn: cells.signedMoney('fee_own'),
    toAccount: cells.text('to_account'),
    acquired: cells.acquired(),
    basis: cells.money('basis'),
    fmv: cells.money('fmv'),
    ratio: cells.ratio(),
    lots: cells.lots(),
    identifiedAt: cells.instant('identified_at'),
    shares: cells.quantity('shares'),
    underlying: cells.text('underlying'),
    right: cells.right(),
    box: cells.choice('box', boxes) as Box | null,
    wash: cells.money('wash'),
    term: cells.choice('term', ['short', 'long']) as Term | null,
    externalId: cells.common('id'),
    note: cells.common('note'),
  };
  return option === undefined || !cells.uses('underlying') ? cells.unspelled(stated) : withParts(stated, option);
}

/** The symbol's own parts, unless the row states others (an adjusted contract delivers something else). */
function withParts(stated: Stated, option: { underlying: string; right: 'call' | 'put' }): Stated {
  return {
    ...stated,
    underlying: stated.underlying || option.underlying,
    right: stated.right ?? option.right,
  };
}

import { type Day, isTimeZone } from '../../base/day.ts';
import type { Quantity } from '../../base/decimal.ts';
import { universalAccount } from '../../engine/book/lots.ts';
import { type TransactionType, transactionTypes } from '../../engine/model.ts';
import type { StatementMember } from '../../engine/statement-members.ts';
import { HeaderColumns } from '../cells/cells.ts';
import { findFault, read } from '../cells/drafts.ts';
import { formatOption, type OptionSymbol, readOption, sharesOfContract, stockOf } from '../cells/option-symbol.ts';
import { unknownType, unreadableDate } from '../cells/reasons.ts';
import { readTime, type Time } from '../cells/times.ts';
import type { Draft, Format, Layout, Outcome, Reader, ReadingContext, Row } from '../format.ts';
import { buildColumnIndexes, type ColumnIndexes, indexColumnsByType } from '../lotbook/column-indexes.ts';
import { KnownWords } from '../lotbook/known-words.ts';
import { LotbookCells } from '../lotbook/lotbook-cells.ts';
import { columnsOfAllocation, zoneColumn } from '../lotbook-columns.ts';

export { writeHeader, writeLine, writeLotbook } from '../lotbook/lotbook-write.ts';

/** Reads the universal format, which supports every type of transaction (.github/API.md, "Lotbook CSV"). */
export const lotbook: Format = {
  id: 'lotbook',
  name: 'Lotbook CSV',
  source: 'Lotbook',
  assetClass: null,
  actionsReachEveryAccount: true,
  layouts: [{ id: 'universal', required: ['date', 'type', 'asset'] }],
  open: (_layout: Layout, header: Row, context: ReadingContext): Reader => new LotbookReader(header, context),
};

/** Reads rows. Values that many rows share are computed once, because a file can contain a million rows. */
class LotbookReader implements Reader {
  private readonly columns: HeaderColumns;
  private readonly cells: LotbookCells;
  private readonly places: Readonly<Record<TransactionType, ColumnIndexes>>;
  private readonly placesOfAllocation: ColumnIndexes;
  private readonly zone: number;
  private readonly types = new KnownWords(transactionTypes);
  private readonly assets = new Map<string, AssetName>();

  constructor(
    private readonly header: Row,
    private readonly context: ReadingContext,
  ) {
    this.columns = new HeaderColumns(header);
    this.cells = new LotbookCells(this.columns);
    this.places = indexColumnsByType(this.columns);
    this.placesOfAllocation = buildColumnIndexes(columnsOfAllocation, this.columns);
    this.zone = this.columns.findColumnIndexes(zoneColumn)[0] ?? -1;
  }

  read(row: Row): Outcome[] {
    this.cells.open(row, this.context.timeZone);
    if (this.cells.count > this.header.cells.length && this.hasMore(row)) {
      return [this.cells.rejected(-1, 'too_many_cells', tooMany)];
    }
    const timeZone = this.cells.text(this.zone);
    return [timeZone === '' ? this.readRow(row) : this.readZoned(row, timeZone)];
  }

  end(): Outcome[] {
    return [];
  }

  /**
   * Returns whether the row has too many cells. `1,000` without quotes becomes two cells, which shifts every later cell
   * into the wrong column. Extra empty cells are harmless.
   */
  private hasMore(row: Row): boolean {
    return row.cells.slice(this.header.cells.length).some((cell) => cell.trim() !== '');
  }

  /** Reads a row that contains its own zone, as in exports. The zone of the request does not apply to it. */
  private readZoned(row: Row, timeZone: string): Outcome {
    if (!isTimeZone(timeZone)) {
      return this.cells.rejected(this.zone, 'bad_zone', 'This is not a time zone like America/New_York');
    }
    this.cells.open(row, timeZone);
    const outcome = this.readRow(row);
    if (outcome.kind !== 'read') return outcome;
    return { ...outcome, drafts: outcome.drafts.map((draft) => ({ ...draft, timeZone })) };
  }

  /** Reads a row and checks requirements that are not in columnsOfType, because some types need one of two columns. */
  private readRow(row: Row): Outcome {
    const { cells } = this;
    const type = this.readType();
    if (type === undefined) return cells.refused();
    const at = this.chooseColumnIndexes(type);
    const time = this.readRowTime(at.date);
    const draft = cells.inCurrency(this.draftBy(type, at, time ?? noTime, row.line), at.currency);
    for (const { column, place: columnIndex } of at.needed)
      if (cells.isEmpty(columnIndex)) cells.need(column, columnIndex);
    if (type === 'split' && draft.ratio === null && draft.quantity === null) cells.need('ratio', at.ratio);
    if (type === 'merger') this.checkMerger(draft, at);
    const fault = findFault(draft);
    if (fault !== undefined) cells.reject(findColumnIndex(fault.member, at), fault.code, fault.reason);
    if (cells.flawed || time === null) return cells.refused();
    const warning = cells.leftOut(type, at);
    return read(row.line, warning === undefined ? draft : { ...draft, warning });
  }

  /** Checks that a merger has either the shares received, with a ratio or their number, or cash alone. */
  private checkMerger({ receivedAsset, ratio, receivedQuantity, amount }: Draft, at: ColumnIndexes): void {
    const counts = ratio !== null || receivedQuantity !== null;
    if (receivedAsset !== '' && !counts) this.cells.need('ratio', at.ratio);
    if (receivedAsset === '' && (counts || amount === null)) this.cells.need('received_asset', at.receivedAsset);
  }

  private chooseColumnIndexes(type: TransactionType): ColumnIndexes {
    const at = this.places[type];
    const isAllocation = type === 'transfer' && this.cells.text(at.account) === universalAccount;
    return isAllocation ? this.placesOfAllocation : at;
  }

  private readType(): TransactionType | undefined {
    const columnIndex = this.places.buy.type;
    const text = this.cells.text(columnIndex);
    const type = this.types.find(text);
    if (text === '') this.cells.reject(columnIndex, 'missing', 'The type is missing');
    else if (type === undefined) this.cells.reject(columnIndex, 'unknown_type', unknownType);
    return type;
  }

  private readRowTime(columnIndex: number): Time | null {
    const { cells } = this;
    const iso = cells.isoTime(columnIndex);
    if (iso !== undefined) return iso;
    const text = cells.text(columnIndex);
    if (text === '') {
      cells.reject(columnIndex, 'missing', 'The date is missing');
      return null;
    }
    // 03/04/2025 is in March or April, depending on the country. The universal format does not guess.
    if (!isoDate.test(text)) {
      cells.reject(columnIndex, 'bad_date', 'Write a date like YYYY-MM-DD, YYYY-MM-DD HH:MM:SS or in RFC 3339 format');
      return null;
    }
    const time = readTime(text, cells.timeZone, cells.timeZone);
    if (time === undefined) cells.reject(columnIndex, 'bad_date', unreadableDate);
    return time ?? null;
  }

  private draftBy(type: TransactionType, at: ColumnIndexes, time: Time, line: number): Draft {
    const { cells } = this;
    const { asset, option } = this.readAssetName(cells.freeText(at.asset));
    const draft: Draft = {
      type,
      at: time.at,
      on: time.on,
      account: cells.freeText(at.account),
      asset,
      assetClass: cells.assetClass(at.assetClass),
      quantity: cells.quantity(at.quantity, at.needsQuantity),
      amount: cells.signedMoney(at.amount),
      fee: cells.signedMoney(at.fee),
      currency: cells.currency(at.currency),
      receivedAsset: cells.freeText(at.receivedAsset),
      receivedQuantity: cells.quantity(at.receivedQuantity, at.needsReceivedQuantity),
      feeAsset: cells.freeText(at.feeAsset),
      feeQuantity: cells.quantity(at.feeQuantity, false),
      feeOwn: cells.signedMoney(at.feeOwn),
      toAccount: cells.freeText(at.toAccount),
      acquired: cells.acquired(at.acquired),
      basis: cells.money(at.basis),
      fmv: cells.money(at.fmv),
      ratio: cells.ratio(at.ratio),
      lots: cells.lots(at.lots),
      identifiedAt: cells.instant(at.identifiedAt),
      shares: cells.quantity(at.shares, false),
      underlying: cells.freeText(at.underlying),
      right: cells.right(at.right),
      box: cells.box(at.box),
      wash: cells.money(at.wash),
      term: cells.term(at.term),
      maturity: cells.acquired(at.maturity),
      accruedInterest: cells.signedMoney(at.accruedInterest),
      marketDiscount: cells.money(at.marketDiscount),
      statedGain: cells.signedMoney(at.statedGain),
      externalId: cells.freeText(at.externalId),
      note: cells.freeText(at.note),
      line,
    };
    if (!at.tradesOptions) return draft;
    if (option !== undefined) return withParts(draft, option);
    cells.checkOption(draft, at);
    return draft;
  }

  /**
   * Normalizes an asset name to the spelling in the books. A file contains few assets and many rows, so results are
   * cached.
   */
  private readAssetName(text: string): AssetName {
    const known = this.assets.get(text);
    if (known !== undefined) return known;
    const option = readOption(text);
    const name = { asset: option === undefined ? text : formatOption(option), option };
    if (this.assets.size < assetsKeptMax) this.assets.set(text, name);
    return name;
  }
}

/** Returns the column of an invalid field. A row's day is in its date column. */
function findColumnIndex(member: StatementMember | undefined, at: ColumnIndexes): number {
  if (member === undefined) return -1;
  return at[member === 'at' || member === 'on' ? 'date' : member];
}

/** Used for a row rejected because of its date. No other error in that row matters. */
const noTime: Time = { at: null, on: 0 as Day };

interface AssetName {
  readonly asset: string;
  /** The parts of the symbol if it is an option. */
  readonly option: OptionSymbol | undefined;
}

/**
 * Limits memory for a file with a million assets, because a cached text keeps its entire block of the file in memory.
 */
const assetsKeptMax = 1_000;

const tooMany = 'This line has more cells than the header. Put quotes around numbers and text that contain commas';

const isoDate = /^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?(?:[Zz]|UTC|[+-]\d{2}:\d{2}))?)?$/;

/**
 * Adds the parts of the option's symbol, unless the row contains others (an adjusted contract delivers something else).
 */
function withParts(draft: Draft, option: OptionSymbol): Draft {
  return {
    ...draft,
    underlying: draft.underlying || stockOf(option),
    right: draft.right ?? option.right,
    shares: draft.shares ?? sharesOfMini(draft, option),
  };
}

/**
 * Returns the shares of mini contracts: per contract in a trade, or in total if the contracts are settled in stock. A
 * standard contract's 100 can be omitted.
 */
function sharesOfMini({ type, quantity }: Draft, option: OptionSymbol): Quantity | null {
  const contract = sharesOfContract(option);
  if (contract !== 10n) return null;
  if (type === 'exercise' || type === 'assign') return ((quantity ?? 0n) * contract) as Quantity;
  return type === 'expire' ? null : ((contract * 10n ** 18n) as Quantity);
}

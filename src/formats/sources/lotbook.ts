import { type Day, isTimeZone } from '../../base/day.ts';
import type { Quantity } from '../../base/decimal.ts';
import { universalAccount } from '../../engine/book/own-accounts.ts';
import { type TransactionType, transactionTypes } from '../../engine/model.ts';
import type { StatementMember } from '../../engine/statement-members.ts';
import { beyondLimits } from '../cells/beyond-limits.ts';
import { HeaderColumns } from '../cells/cells.ts';
import { findContradiction, readOne } from '../cells/drafts.ts';
import { formatOption, type OptionSymbol, readOption, sharesOfContract, stockOf } from '../cells/option-symbol.ts';
import { rejections } from '../cells/reasons.ts';
import { readTime, type Time } from '../cells/times.ts';
import type { Draft, Format, Layout, Outcome, Reader, ReadingContext, Row } from '../format.ts';
import {
  buildColumnIndexes,
  type ColumnIndexes,
  indexColumnsByType,
  type OtherMember,
} from '../lotbook/column-indexes.ts';
import { KnownWords } from '../lotbook/known-words.ts';
import { LotbookCells, noLots } from '../lotbook/lotbook-cells.ts';
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
      return [this.cells.rejected(-1, rejections.tooManyCells)];
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
      return this.cells.rejected(this.zone, rejections.notZoneLikeNewYork);
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
    const indexes = this.chooseColumnIndexes(type);
    const time = this.readRowTime(indexes.date);
    const draft = cells.inCurrency(this.draftBy(type, indexes, time ?? noTime, row.line), indexes.currency);
    for (const { column, place: columnIndex } of indexes.needed)
      if (cells.isEmpty(columnIndex)) cells.need(column, columnIndex);
    if (type === 'split' && draft.ratio === null && draft.quantity === null) cells.need('ratio', indexes.ratio);
    if (type === 'merger') this.checkMerger(draft, indexes);
    const fault = findContradiction(draft) ?? (cells.mayExceed ? beyondLimits(draft) : undefined);
    if (fault !== undefined) cells.reject(findColumnIndex(fault.member, indexes), fault);
    if (cells.flawed || time === null) return cells.refused();
    const warning = cells.leftOut(type, indexes);
    return readOne(row.line, warning === undefined ? draft : { ...draft, warning });
  }

  /** Checks that a merger has either the shares received, with a ratio or their number, or cash alone. */
  private checkMerger({ receivedAsset, ratio, receivedQuantity, amount }: Draft, indexes: ColumnIndexes): void {
    const counts = ratio !== null || receivedQuantity !== null;
    if (receivedAsset !== '' && !counts) this.cells.need('ratio', indexes.ratio);
    if (receivedAsset === '' && (counts || amount === null)) this.cells.need('received_asset', indexes.receivedAsset);
  }

  private chooseColumnIndexes(type: TransactionType): ColumnIndexes {
    const indexes = this.places[type];
    const isAllocation = type === 'transfer' && this.cells.text(indexes.account) === universalAccount;
    return isAllocation ? this.placesOfAllocation : indexes;
  }

  private readType(): TransactionType | undefined {
    const columnIndex = this.places.buy.type;
    const text = this.cells.text(columnIndex);
    const type = this.types.find(text);
    if (text === '') this.cells.reject(columnIndex, rejections.typeMissing);
    else if (type === undefined) this.cells.reject(columnIndex, rejections.unknownType);
    return type;
  }

  private readRowTime(columnIndex: number): Time | null {
    const { cells } = this;
    const iso = cells.isoTime(columnIndex);
    if (iso !== undefined) return iso;
    const text = cells.text(columnIndex);
    if (text === '') {
      cells.reject(columnIndex, rejections.dateMissing);
      return null;
    }
    // 03/04/2025 is in March or April, depending on the country. The universal format does not guess.
    if (!isoDate.test(text)) {
      cells.reject(columnIndex, rejections.lotbookDate);
      return null;
    }
    const time = readTime(text, cells.timeZone, cells.timeZone);
    if (time === undefined) cells.reject(columnIndex, rejections.unreadableDate);
    return time ?? null;
  }

  private draftBy(type: TransactionType, indexes: ColumnIndexes, time: Time, line: number): Draft {
    const { cells } = this;
    const { asset, option } = this.readAssetName(cells.freeText(indexes.asset));
    // A literal with all fields, because copying the fields that are not stated takes as long as reading the row.
    const draft: Draft = {
      type,
      at: time.at,
      on: time.on,
      account: cells.freeText(indexes.account),
      asset,
      assetClass: cells.assetClass(indexes.assetClass),
      quantity: cells.quantity(indexes.quantity, indexes.needsQuantity),
      amount: cells.signedMoney(indexes.amount),
      fee: cells.signedMoney(indexes.fee),
      currency: cells.currency(indexes.currency),
      receivedAsset: '',
      receivedQuantity: null,
      feeAsset: '',
      feeQuantity: null,
      feeOwn: null,
      toAccount: '',
      acquired: null,
      basis: null,
      fmv: null,
      ratio: null,
      lots: noLots,
      identifiedAt: null,
      shares: null,
      underlying: '',
      right: null,
      box: null,
      wash: null,
      term: null,
      maturity: null,
      accruedInterest: null,
      marketDiscount: null,
      statedGain: null,
      offered: null,
      discount: null,
      wages: null,
      externalId: '',
      note: '',
      line,
    };
    if (indexes.others.length > 0) {
      const values: Record<string, unknown> = draft as never;
      for (const { member, place: columnIndex } of indexes.others)
        values[member] = otherReaders[member](cells, columnIndex, indexes);
    }
    if (!indexes.tradesOptions && option === undefined) return draft;
    // The books' spelling of an option may be longer than the cell.
    if (option !== undefined) cells.mayExceed = true;
    if (!indexes.tradesOptions) return draft;
    if (option !== undefined) return withParts(draft, option);
    cells.checkOption(draft, indexes);
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

type OtherReader<Member extends OtherMember> = (
  cells: LotbookCells,
  columnIndex: number,
  indexes: ColumnIndexes,
) => Draft[Member];

/** Reads the fields that most rows do not have. */
const otherReaders: { readonly [Member in OtherMember]: OtherReader<Member> } = {
  receivedAsset: (cells, at) => cells.freeText(at),
  receivedQuantity: (cells, at, indexes) => cells.quantity(at, indexes.needsReceivedQuantity),
  feeAsset: (cells, at) => cells.freeText(at),
  feeQuantity: (cells, at) => cells.quantity(at, false),
  feeOwn: (cells, at) => cells.signedMoney(at),
  toAccount: (cells, at) => cells.freeText(at),
  acquired: (cells, at) => cells.acquired(at),
  basis: (cells, at) => cells.money(at),
  fmv: (cells, at) => cells.money(at),
  ratio: (cells, at) => cells.ratio(at),
  lots: (cells, at) => cells.lots(at),
  identifiedAt: (cells, at) => cells.instant(at),
  shares: (cells, at) => cells.quantity(at, false),
  underlying: (cells, at) => cells.freeText(at),
  right: (cells, at) => cells.right(at),
  box: (cells, at) => cells.box(at),
  wash: (cells, at) => cells.money(at),
  term: (cells, at) => cells.term(at),
  maturity: (cells, at) => cells.acquired(at),
  accruedInterest: (cells, at) => cells.signedMoney(at),
  marketDiscount: (cells, at) => cells.money(at),
  statedGain: (cells, at) => cells.signedMoney(at),
  offered: (cells, at) => cells.acquired(at),
  discount: (cells, at) => cells.money(at),
  wages: (cells, at) => cells.money(at),
  externalId: (cells, at) => cells.freeText(at),
  note: (cells, at) => cells.freeText(at),
};

/** Returns the column of an invalid field. A row's day is in its date column. */
function findColumnIndex(member: StatementMember | undefined, indexes: ColumnIndexes): number {
  if (member === undefined) return -1;
  return indexes[member === 'at' || member === 'on' ? 'date' : member];
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

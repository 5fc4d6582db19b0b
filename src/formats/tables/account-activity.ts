import type { Money, Quantity } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import { rowOf } from '../../engine/transaction-types.ts';
import { magnitude, negateAmount, sum, toFee } from '../cells/amounts.ts';
import type { Cells, HeaderColumns } from '../cells/cells.ts';
import type { StatedFields } from '../cells/drafts.ts';
import { type OptionSymbol, readOption } from '../cells/option-symbol.ts';
import { type Rejection, rejections, skips } from '../cells/reasons.ts';
import type { Time } from '../cells/times.ts';
import type { Outcome } from '../format.ts';
import { type Opener, rowsInGroups } from '../reader.ts';
import { asDebt, findCusip } from './bonds.ts';
import { grossPaid, grossReceived, optionEvent, optionStated, rejectSpinoff, sharesMoved } from './brokers.ts';
import { type ActionKind, type ActionRow, CorporateActions } from './corporate-actions.ts';
import { markDelivered, withDeliveries } from './deliveries.ts';
import { findKind, type RowKind } from './kinds.ts';
import { checkPrice } from './stated-money.ts';

/**
 * The columns of account activity. If a column was renamed over the years, its names are separated by bars:
 * `Amount ($) | Amount`.
 */
interface AccountColumns {
  readonly time: string;
  /** The column that shows what the row is. */
  readonly kind: string;
  readonly asset: string;
  readonly quantity: string;
  readonly amount: string;
  /** Trades are checked against the price. */
  readonly price: string;
  /** The security's name, which links a CUSIP to its symbol in corporate actions. */
  readonly name: string;
  /** The column with the symbol of an option. Default: the asset's. */
  readonly option: string;
  /** Accrued interest, which the amount includes. */
  readonly accrued: string;
}

/**
 * The meaning of the source's word for a row. `spinoff` asks for the allocation, `transfer` moves shares in or out by
 * their sign, and `action` is part of a corporate action. A function reads a row that needs code.
 */
export type ActivityKind<Groups> =
  | RowKind
  | 'transfer'
  | { readonly action: ActionKind }
  | ((row: ActivityRow, groups: Groups, actions: CorporateActions) => Outcome | readonly Outcome[]);

type ActivityValue = 'time' | 'quantity' | 'net' | 'fee' | 'accrued';

/** How a broker states account activity. */
interface ActivityTerms {
  readonly columns: Pick<AccountColumns, 'time' | 'kind' | 'asset' | 'quantity' | 'amount'> & Partial<AccountColumns>;
  /** The columns with fees, which are added up without signs. */
  readonly fees?: readonly string[];
  /** The columns whose text may contain the effective date, after "as of". */
  readonly asOf?: readonly string[];
  /** The columns that describe the security. Absent if the source has no bonds. */
  readonly describes?: readonly string[];
  /** Rows that are not transactions, by the text in a column. */
  readonly skips?: readonly (readonly [column: string, text: RegExp, reason: string])[];
  /** Why a row with another word is rejected. */
  readonly unknown?: Rejection | ((cells: Cells) => Rejection);
  /** Values that must be readable in every row, even if it is skipped. */
  readonly readsAlways?: readonly ActivityValue[];
  /**
   * Values that must be readable in every transaction, even if its kind has none. Default: quantity, net and fee.
   */
  readonly reads?: readonly ActivityValue[];
  /** Set if a security without a symbol has its CUSIP in a column that describes it. */
  readonly findsCusips?: true;
  /** Set if amounts are before fees. */
  readonly grossAmounts?: true;
  /** Set if rows show options being settled in shares. `marked`: only rows that `isDelivery` marks. */
  readonly deliveries?: 'any' | 'marked';
  /** Returns whether an option delivered the shares that the row trades. */
  readonly isDelivery?: (row: ActivityRow) => boolean;
  /** Returns whether a row is only a note. */
  readonly isNote?: (cells: Cells) => boolean;
  /** Returns the type of an option's trade. Null if it is not clear. Default: options are
   * traded under their own words, and rejected under a word for shares.
   */
  readonly optionType?: (row: ActivityRow, type: TransactionType) => TransactionType | null;
  /** Reads a row of a corporate action whose columns differ from those of other rows. */
  readonly action?: (row: ActivityRow, kind: ActionKind) => ActionRow;
  /** How the source states a value, if it is not the plain text or number in its column. */
  readonly word?: (cells: Cells) => string;
  readonly time?: (row: ActivityRow) => Time | null;
  readonly asset?: (cells: Cells) => string;
  readonly option?: (cells: Cells) => OptionSymbol | undefined;
  readonly quantity?: (cells: Cells) => Quantity | null;
  readonly net?: (cells: Cells) => Money | null;
  readonly fee?: (cells: Cells) => Money | null;
  readonly common?: (cells: Cells) => Partial<StatedFields>;
}

/** A broker's table of account activity. */
interface ActivityTable<Groups> extends ActivityTerms {
  /** The source's words in lowercase. The first match wins. */
  readonly kinds: readonly (readonly [string | RegExp, ActivityKind<Groups>])[];
  /** Opens the groups of rows that belong together, other than corporate actions. */
  readonly open?: () => Groups;
  /** Returns the outcomes of rows that the groups still hold at the end of the file. */
  readonly end?: (groups: Groups) => readonly Outcome[];
  /** Returns why a row is skipped. `kind` is undefined if its word is unknown. */
  readonly skip?: (row: ActivityRow, kind: ActivityKind<Groups> | undefined, groups: Groups) => string | null;
  /** Reads a row that differs from others of its type, or returns null. */
  readonly special?: (
    row: ActivityRow,
    type: TransactionType | 'transfer',
    groups: Groups,
  ) => Outcome | readonly Outcome[] | null;
}

/** Opens a reader of account activity: trades of shares and options, income, transfers and corporate actions. */
export function activity<Groups = null>(table: ActivityTable<Groups>): Opener {
  const open = rowsInGroups(
    ({ columns }) => {
      const [actions, groups] = [new CorporateActions(), table.open?.() as Groups];
      const names = pickColumns(table, columns);
      return { actions, groups, names, end: () => [...(table.end?.(groups) ?? []), ...actions.end()] };
    },
    (cells, { actions, groups, names }) => readRow(new ActivityRow(cells, names, table), table, groups, actions),
  );
  const { deliveries } = table;
  if (deliveries === undefined) return open;
  return (...file) => withDeliveries(open(...file), { marksEach: deliveries === 'marked' });
}

type Names = AccountColumns & { readonly fees: readonly string[] };

function pickColumns({ columns, fees = [] }: ActivityTerms, header: HeaderColumns): Names {
  const pick = (names: string): string => header.pick(...(names.split(' | ') as [string, ...string[]]));
  const unset = { price: '', name: '', option: columns.asset, accrued: '' };
  const picked = Object.entries({ ...unset, ...columns }).map(([column, names]) => [column, pick(names)]);
  return { ...(Object.fromEntries(picked) as unknown as AccountColumns), fees: fees.map(pick) };
}

function readRow<Groups>(
  row: ActivityRow,
  table: ActivityTable<Groups>,
  groups: Groups,
  actions: CorporateActions,
): Outcome | readonly Outcome[] {
  const { cells, columns } = row;
  if (table.isNote?.(cells)) return cells.skip(skips.brokerNote);
  const skipped = table.skips?.find(([column, text]) => text.test(cells.text(column)));
  if (skipped !== undefined) return cells.skip(skipped[2]);
  const kind = findKind(row.word, table.kinds);
  const reason = table.skip?.(row, kind, groups) ?? null;
  if (reason !== null) return cells.skip(reason);
  if (kind === undefined) return row.rejectUnknown();
  row.check(table.readsAlways ?? []);
  if (typeof kind === 'object') {
    if ('skip' in kind) return cells.skip(kind.skip);
    if ('refuse' in kind) return cells.rejected(columns.kind, kind.refuse);
  }
  row.check(table.reads ?? ['quantity', 'net', 'fee']);
  if (typeof kind === 'object') return actions.add((table.action ?? stateAction)(row, kind.action));
  if (columns.name !== '') actions.note(row.symbol, cells.text(columns.name));
  if (typeof kind === 'function') return kind(row, groups, actions);
  return table.special?.(row, kind, groups) ?? row.read(kind);
}

/** One row of account activity. Each value is read when it is needed. */
export class ActivityRow {
  constructor(
    readonly cells: Cells,
    readonly columns: Names,
    private readonly table: ActivityTerms,
  ) {}

  /** What the row is, in lowercase. */
  get word(): string {
    return this.table.word?.(this.cells) ?? this.cells.text(this.columns.kind).toLowerCase();
  }

  get time(): Time | null {
    return this.table.time?.(this) ?? this.effectiveTime;
  }

  get effectiveTime(): Time | null {
    return this.cells.effectiveTime(this.columns.time, this.table.asOf ?? []);
  }

  get symbol(): string {
    return this.table.asset?.(this.cells) ?? this.cells.text(this.columns.asset).toUpperCase();
  }

  /** The symbol, or else the CUSIP. */
  get asset(): string {
    return this.symbol || (this.table.findsCusips ? findCusip(this.description.toUpperCase()) : '');
  }

  /** The text of all columns that describe the security. */
  get description(): string {
    return (this.table.describes ?? []).map((column) => this.cells.text(column)).join(' ');
  }

  get option(): OptionSymbol | undefined {
    return this.table.option === undefined ? readOption(this.symbol) : this.table.option(this.cells);
  }

  get quantity(): Quantity | null {
    const { cells, columns, table } = this;
    return table.quantity === undefined ? cells.quantity(columns.quantity) : table.quantity(cells);
  }

  /** The change in cash. Positive if money was received. */
  get net(): Money | null {
    const { cells, columns, table } = this;
    return table.net === undefined ? cells.money(columns.amount) : table.net(cells);
  }

  get fee(): Money | null {
    const { cells, columns, table } = this;
    if (table.fee !== undefined) return table.fee(cells);
    return toFee(sum(...columns.fees.map((column) => magnitude(cells.money(column)))));
  }

  get accrued(): Money | null {
    return this.columns.accrued === '' ? null : this.cells.money(this.columns.accrued);
  }

  get common(): Partial<StatedFields> {
    return this.table.common?.(this.cells) ?? {};
  }

  /** Reads values that the row may not need. The row is rejected if one is unreadable. */
  check(values: readonly ActivityValue[]): void {
    for (const value of values) void this[value];
  }

  rejectUnknown(): Outcome {
    const { unknown = rejections.unknownAction } = this.table;
    const reason = typeof unknown === 'function' ? unknown(this.cells) : unknown;
    return this.cells.rejected(this.columns.kind, reason);
  }

  /** Reads a row of a type that needs no code. */
  read(type: TransactionType | 'transfer'): Outcome {
    if (type === 'transfer') return this.readTransfer();
    if (type === 'expire' || type === 'assign' || type === 'exercise') return this.readEndOfOption(type);
    if (type === 'spinoff')
      return rejectSpinoff(this.cells, this.columns.kind, { asset: this.symbol, quantity: this.quantity });
    if (type === 'split') return this.readSplit();
    return rowOf(type).side === undefined ? this.readIncome(type) : this.readTrade(type);
  }

  readTrade(type: TransactionType): Outcome {
    const { cells, table } = this;
    const ofOption = type.includes('_to_');
    const option = ofOption || table.optionType !== undefined ? this.option : undefined;
    if (option === undefined && ofOption) return this.rejectOption();
    // A contract that is booked as a share would lose its expiration and size.
    if (!ofOption && table.optionType === undefined && this.option !== undefined)
      return cells.rejected(this.columns.kind, rejections.opensOrClosesUnclear);
    const traded = option === undefined ? type : (table.optionType ?? keepType)(this, type);
    if (traded === null) return cells.rejected(this.columns.kind, rejections.opensOrClosesUnclear);
    const stated = this.stateTrade(traded, option);
    return markDelivered(cells.read(this.time, stated), table.isDelivery?.(this) ?? false);
  }

  /** Returns the fields of a purchase or sale, and compares its amount with its price. */
  stateTrade(type: TransactionType, option?: OptionSymbol): StatedFields {
    const { cells, columns, table } = this;
    const asset = option === undefined ? this.needAsset() : this.asset;
    const quantity = cells.need(columns.quantity, magnitude(this.quantity));
    const [net, fee] = [cells.need(columns.amount, this.net), this.fee];
    const side = rowOf(type).side ?? 'buy';
    const gross = side === 'buy' ? grossPaid(net, fee) : grossReceived(net, fee);
    const amount = table.grossAmounts ? magnitude(net) : gross;
    const named = option === undefined ? { asset } : optionStated(option);
    const stated: StatedFields = { ...this.common, ...named, type, quantity, amount, fee };
    const { price } = columns;
    const accrued = this.accrued;
    if (table.describes !== undefined && option === undefined && (type === 'buy' || type === 'sell')) {
      return asDebt(cells, { stated, description: this.description, price, accrued });
    }
    if ((accrued ?? 0n) !== 0n) cells.reject(columns.accrued, rejections.accruedElsewhere);
    const isChecked = price !== '' && (option === undefined || table.optionType !== undefined);
    if (isChecked) checkPrice(cells, price, { side, units: quantity, gross: amount, fee });
    return stated;
  }

  /** Reads an expiration, assignment or exercise. */
  readEndOfOption(type: 'expire' | 'assign' | 'exercise'): Outcome {
    const { cells, time } = this;
    const event = this.stateEndOfOption(type);
    return event === null ? this.rejectOption() : cells.read(time, event);
  }

  /** Returns null if the row does not name an option. */
  stateEndOfOption(type: 'expire' | 'assign' | 'exercise'): StatedFields | null {
    const { cells, option } = this;
    if (option === undefined) return null;
    const contracts = cells.need(this.columns.quantity, this.quantity);
    const { fee, net: cash } = this;
    return { ...this.common, ...optionEvent(cells, type, option, contracts, { cash, fee }) };
  }

  rejectOption(): Outcome {
    return this.cells.rejected(this.columns.option, rejections.noOptionNamed);
  }

  /** Reads income, or tax withheld from it. */
  readIncome(type: TransactionType, more: Partial<StatedFields> = {}): Outcome {
    const { cells, columns, asset, time } = this;
    const net = cells.need(columns.amount, this.net);
    const amount = type === 'withholding' ? negateAmount(net) : net;
    return cells.read(time, { ...this.common, asset, type, amount, ...more });
  }

  /** Reads shares transferred without money. Their cost has to come from another file. */
  readTransfer(type?: 'deposit' | 'withdrawal'): Outcome {
    const { cells, asset, quantity } = this;
    if (asset === '' || quantity === null) return cells.skip(skips.cashMoved);
    const moved = sharesMoved(quantity);
    return cells.read(this.time, { ...this.common, asset, ...moved, type: type ?? moved.type });
  }

  /** Reads a split. The quantity is the number of shares added, and the ratio follows from the shares held. */
  readSplit(): Outcome {
    const { cells, asset, columns, time } = this;
    const quantity = cells.need(columns.quantity, magnitude(this.quantity));
    return cells.read(time, { ...this.common, type: 'split', asset, quantity });
  }

  /** Rejects the row if it names no asset. */
  needAsset(): string {
    const { asset } = this;
    if (asset === '') this.cells.reject(this.columns.asset, rejections.requiredHere);
    return asset;
  }
}

/** Returns a row of a corporate action. The asset and the numbers are those of the row unless others are passed. */
export function stateAction(
  row: ActivityRow,
  kind: ActionKind,
  { asset, quantity, net }: Pick<ActivityRow, 'asset' | 'quantity' | 'net'> = row,
): ActionRow {
  const { cells, columns, time, fee } = row;
  if (asset === '') cells.reject(columns.asset, rejections.requiredHere);
  if (quantity === null) cells.need(columns.amount, net);
  const name = columns.name === '' ? '' : cells.text(columns.name);
  return { cells, column: columns.kind, time, kind, asset, name, quantity, amount: grossReceived(net, fee), fee };
}

function keepType(_row: ActivityRow, type: TransactionType): TransactionType {
  return type;
}

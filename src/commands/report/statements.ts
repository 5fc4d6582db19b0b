import type { Day } from '../../base/day.ts';
import type { Money, Quantity } from '../../base/decimal.ts';
import type { AssetClass, Box, LotChoice, Ratio, Term, Transaction, TransactionType } from '../../engine/model.ts';
import type { Draft } from '../../formats/format.ts';
import type { Column, ColumnState } from './cells.ts';
import { DayColumn, InstantColumn, ValueColumn, WholeColumn, WordColumn } from './columns.ts';
import { IntegerColumn } from './integers.ts';

/** Statements by columns, each in a row. Notes are for their writer: no report prints them. */
export class StatementColumns {
  readonly lines = new WholeColumn();
  readonly types = new WordColumn<TransactionType | null>(null);
  readonly ats = new InstantColumn();
  readonly ons = new DayColumn();
  readonly accounts = new WordColumn<string>('');
  readonly assets = new WordColumn<string>('');
  readonly assetClasses = new WordColumn<AssetClass | null>(null);
  readonly quantities = new IntegerColumn<Quantity>();
  readonly amounts = new IntegerColumn<Money>();
  readonly fees = new IntegerColumn<Money>();
  readonly currencies = new WordColumn<string>('USD');
  readonly receivedAssets = new WordColumn<string>('');
  readonly receivedQuantities = new IntegerColumn<Quantity>();
  readonly feeAssets = new WordColumn<string>('');
  readonly feeQuantities = new IntegerColumn<Quantity>();
  readonly feeOwns = new IntegerColumn<Money>();
  readonly toAccounts = new WordColumn<string>('');
  readonly acquireds = new DayColumn();
  readonly bases = new IntegerColumn<Money>();
  readonly fmvs = new IntegerColumn<Money>();
  readonly ratios = new ValueColumn<Ratio | null>(null);
  readonly lots = new ValueColumn<readonly LotChoice[]>(noLots);
  readonly identifiedAts = new InstantColumn();
  readonly shares = new IntegerColumn<Quantity>();
  readonly underlyings = new WordColumn<string>('');
  readonly rights = new WordColumn<'call' | 'put' | null>(null);
  readonly boxes = new WordColumn<Box | null>(null);
  readonly washes = new IntegerColumn<Money>();
  readonly terms = new WordColumn<Term | null>(null);
  readonly externalIds = new ValueColumn('');
  private readonly all: readonly Column[] = [
    this.lines,
    this.types,
    this.ats,
    this.ons,
    this.accounts,
    this.assets,
    this.assetClasses,
    this.quantities,
    this.amounts,
    this.fees,
    this.currencies,
    this.receivedAssets,
    this.receivedQuantities,
    this.feeAssets,
    this.feeQuantities,
    this.feeOwns,
    this.toAccounts,
    this.acquireds,
    this.bases,
    this.fmvs,
    this.ratios,
    this.lots,
    this.identifiedAts,
    this.shares,
    this.underlyings,
    this.rights,
    this.boxes,
    this.washes,
    this.terms,
    this.externalIds,
  ];

  get state(): ColumnState[] {
    return this.all.map((column) => column.state);
  }

  adopt(columns: readonly ColumnState[]): void {
    for (const [at, column] of this.all.entries()) column.adopt(columns[at] as ColumnState);
  }

  /** Takes the first so many rows of others behind its own, which end at `row`. */
  append(columns: readonly ColumnState[], row: number, count: number): void {
    for (const [at, column] of this.all.entries()) column.append(columns[at] as ColumnState, row, count);
  }

  /** All but the class of the asset, which a draft may leave open. */
  set(row: number, draft: Draft): void {
    this.lines.set(row, draft.line);
    this.types.set(row, draft.type);
    this.ats.set(row, draft.at);
    this.ons.set(row, draft.on);
    this.accounts.set(row, draft.account);
    this.assets.set(row, draft.asset);
    this.quantities.set(row, draft.quantity);
    this.amounts.set(row, draft.amount);
    this.fees.set(row, draft.fee);
    this.currencies.set(row, draft.currency);
    this.receivedAssets.set(row, draft.receivedAsset);
    this.receivedQuantities.set(row, draft.receivedQuantity);
    this.feeAssets.set(row, draft.feeAsset);
    this.feeQuantities.set(row, draft.feeQuantity);
    this.feeOwns.set(row, draft.feeOwn);
    this.toAccounts.set(row, draft.toAccount);
    this.acquireds.set(row, draft.acquired);
    this.bases.set(row, draft.basis);
    this.fmvs.set(row, draft.fmv);
    this.ratios.set(row, draft.ratio);
    this.lots.set(row, draft.lots.length === 0 ? noLots : draft.lots);
    this.identifiedAts.set(row, draft.identifiedAt);
    this.shares.set(row, draft.shares);
    this.underlyings.set(row, draft.underlying);
    this.rights.set(row, draft.right);
    this.boxes.set(row, draft.box);
    this.washes.set(row, draft.wash);
    this.terms.set(row, draft.term);
    this.externalIds.set(row, draft.externalId);
  }

  transaction(row: number, id: string, line: number): Transaction {
    return {
      id,
      line,
      type: this.types.get(row) as TransactionType,
      at: this.ats.get(row),
      on: this.ons.get(row) as Day,
      account: this.accounts.get(row),
      asset: this.assets.get(row),
      assetClass: this.assetClasses.get(row) as AssetClass,
      quantity: this.quantities.get(row),
      amount: this.amounts.get(row),
      fee: this.fees.get(row),
      currency: this.currencies.get(row),
      receivedAsset: this.receivedAssets.get(row),
      receivedQuantity: this.receivedQuantities.get(row),
      feeAsset: this.feeAssets.get(row),
      feeQuantity: this.feeQuantities.get(row),
      feeOwn: this.feeOwns.get(row),
      toAccount: this.toAccounts.get(row),
      acquired: this.acquireds.get(row),
      basis: this.bases.get(row),
      fmv: this.fmvs.get(row),
      ratio: this.ratios.get(row),
      lots: this.lots.get(row),
      identifiedAt: this.identifiedAts.get(row),
      shares: this.shares.get(row),
      underlying: this.underlyings.get(row),
      right: this.rights.get(row),
      box: this.boxes.get(row),
      wash: this.washes.get(row),
      term: this.terms.get(row),
      externalId: this.externalIds.get(row),
      note: '',
    };
  }
}

const noLots: readonly LotChoice[] = [];

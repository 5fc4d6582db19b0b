import { type Day, lastDayOf, yearOf } from '../../../base/day.ts';
import { type Cents, zeroCents } from '../../../base/decimal.ts';
import type { OpenLot } from '../../book/book.ts';
import { type Fold, isRetirement } from '../../book/fold.ts';
import type { Slice } from '../../book/lots.ts';
import { disposalWith, type LineTemplate } from '../../book/plain-disposal.ts';
import type { Event } from '../../events/event.ts';
import type { Disposal, Term } from '../../model.ts';
import { rowOf } from '../../transaction-types.ts';
import type { SoldSlice } from '../lots/holding-periods.ts';
import { type BoxChoice, chooseBox, resolveFormEvidence } from './box.ts';
import { reasonWithoutBroker } from './without-broker.ts';

/** The proceeds and dates that all lines of a disposal share. */
export interface DisposalTerms {
  /** In cents, for all units together. */
  readonly proceeds: bigint;
  readonly sold: Day;
  readonly expired: Disposal['expired'];
}

type LineHead = Omit<
  Disposal,
  | 'lotId'
  | 'asset'
  | 'assetClass'
  | 'quantity'
  | 'acquired'
  | 'heldSince'
  | 'inherited'
  | 'proceeds'
  | 'basis'
  | 'basisUnknown'
  | 'identified'
>;

/** Marks the line of units whose purchase is unknown. */
export function purchaseMark({ purchaseUnknown }: OpenLot): Pick<Disposal, 'purchaseUnknown'> {
  return purchaseUnknown ? { purchaseUnknown } : {};
}

/** The default values of a line. Some rules override them. */
export const usualLine = {
  kind: 'disposal',
  shortSale: false,
  expired: null,
  code: '',
  adjustment: zeroCents,
  description: null,
} as const satisfies Partial<Disposal>;

/** Returns the fields that all lines of an event share. */
export function buildLineHead(
  fold: Fold,
  event: Event,
  row: number | string,
  term: Term,
  covered: boolean,
  terms: Pick<DisposalTerms, 'sold' | 'expired'>,
  on: Day = terms.sold,
): LineHead {
  const { box, reason, formExempt } = boxFor(fold, event, term, covered, on);
  return {
    ...usualLine,
    causedOn: fold.day,
    id: lineId(event, row),
    saleId: event.tx.id,
    on,
    account: event.account,
    sold: terms.sold,
    term,
    box,
    boxReason: reason,
    ...(formExempt ? { formExempt } : {}),
    expired: terms.expired,
  };
}

export function boxFor(fold: Fold, event: Event, term: Term, covered: boolean, on: Day): BoxChoice {
  const excepted = yearOf(on) < 2025 ? undefined : reasonWithoutBroker(event.tx, event.assetClass);
  const exemption = rowOf(event.tx.type).notOnForm1099;
  const reasonWithoutForm = exemption ?? excepted;
  const { account, assetClass } = event;
  const year = yearOf(on);
  if (reasonWithoutForm !== undefined) {
    const { box } = chooseBox({ year, assetClass, term, form: 'none', basisReported: false });
    return { box, reason: reasonWithoutForm, ...(exemption === undefined ? {} : { formExempt: true }) };
  }
  return chooseBox({
    year,
    assetClass,
    term,
    ...resolveFormEvidence(fold.rules, { account, year, assetClass }, covered),
  });
}

/** Returns the template of the lines of today's plain sales from a lot, with the box that `boxFor` chooses. */
export function findTemplate(fold: Fold, account: string, lot: OpenLot, term: Term): LineTemplate {
  const { asset, assetClass, covered } = lot;
  const on = fold.day;
  let known = fold.lineTemplates.get(asset);
  if (known?.account !== account || known.assetClass !== assetClass || on < known.firstDay || on > known.lastDay) {
    const year = yearOf(on);
    const firstDay = (lastDayOf(year - 1) + 1) as Day;
    known = { account, assetClass, firstDay, lastDay: lastDayOf(year), templates: [] };
    fold.lineTemplates.set(asset, known);
  }
  const at = (covered ? 2 : 0) + (term === 'long' ? 1 : 0);
  const template = known.templates[at];
  if (template !== undefined) return template;
  const year = yearOf(on);
  const evidence = resolveFormEvidence(fold.rules, { account, year, assetClass }, covered);
  const { box, reason: boxReason } = chooseBox({ year, assetClass, term, ...evidence });
  const made = { account, asset, assetClass, term, box, boxReason };
  known.templates[at] = made;
  return made;
}

export function lineId(event: Event, row: number | string): string {
  return `${event.tx.id}/${event.ordinal}.${row}`;
}

/**
 * Returns the basis and dates of a gift with two bases for given proceeds (cents). A gain is measured from the donor's
 * basis. A loss is measured from the value on the day of the gift, and the holding period starts on that day. Proceeds
 * in between result in neither, and the line shows them as basis (IRC 1015(a); Pub. 550, "Property Received as a
 * Gift").
 */
export function basisFor(
  slice: Pick<Slice, 'lot' | 'basis' | 'lossBasis'>,
  proceeds: bigint,
): { basis: bigint; acquired: Day; heldSince: Day } {
  const { lot, basis, lossBasis } = slice;
  const donor = { basis, acquired: lot.acquired, heldSince: lot.heldSince };
  if (lossBasis === null || lot.givenOn === null || proceeds >= basis) return donor;
  if (proceeds < lossBasis) return { basis: lossBasis, acquired: lot.givenOn, heldSince: lot.givenOn };
  return { ...donor, basis: proceeds };
}

/**
 * If elected, shows the donor's basis for a gift sold for a price between its two bases. The loss that does not count
 * has code L (P7).
 */
export function giftLine(fold: Fold, slice: SoldSlice, line: Disposal): Disposal {
  const nothing = line.proceeds - slice.basis;
  const between = nothing < 0n && line.basis === line.proceeds;
  if (!between || fold.rules.giftBetweenBases !== 'donor_basis') return line;
  return disposalWith(line, { basis: slice.basis as Cents, code: 'L', adjustment: -nothing as Cents });
}

export function writeContract(fold: Fold, event: Event, gain: bigint, on: Day, row: number | string): void {
  if (isRetirement(fold, event.account)) return;
  fold.facts.push({
    kind: 'contract_1256',
    causedOn: fold.day,
    id: `${event.tx.id}/${event.ordinal}.${row}`,
    transactionId: event.tx.id,
    on,
    asset: event.asset,
    account: event.account,
    gain: gain as Cents,
  });
}

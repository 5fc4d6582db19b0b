import { addDays, type Day, formatDay, lastDayOf, longTermOn, yearOf } from '../../../base/day.ts';
import { type Cents, formatCents } from '../../../base/decimal.ts';
import type { Fold } from '../../book/fold.ts';
import type { StraddleLoss } from '../../book/straddle-loss.ts';
import { sharesPerContract } from '../../events/event.ts';
import { assetOfKey, toAssetKey } from '../../events/keys.ts';
import type { Disposal, Fact } from '../../model.ts';
import { listStockPositions, namedOption } from './positions.ts';

/**
 * Records losses that may be straddle losses (IRC 1092). A loss on one of two offsetting positions is deferred to the
 * extent that the other has an unrecognized gain at the end of the year. The rows have no prices for that day, so
 * nothing is deferred. If the offsetting position is still open at the end of the year, an issue describes the effect.
 */
export function noteStraddleLosses(fold: Fold, facts: readonly Fact[]): void {
  for (const fact of facts) {
    const loss = fact.kind === 'disposal' ? findStraddleLoss(fold, fact) : null;
    if (loss !== null && isOffset(fold, loss)) fold.straddleLosses.push(loss);
  }
}

/** Raises issues about losses in the years before that of `day`. */
export function endStraddleYears(fold: Fold, day: Day): void {
  const over = fold.straddleLosses.filter(({ on }) => yearOf(on) < yearOf(day));
  if (over.length === 0) return;
  raiseStraddles(fold, over);
  fold.straddleLosses = fold.straddleLosses.filter((loss) => !over.includes(loss));
}

/**
 * Raises issues at the end of the rows. The year of these losses may not be over, so a replay resumed before its end
 * decides again.
 */
export function raiseOpenStraddles(fold: Fold): void {
  raiseStraddles(fold, fold.straddleLosses);
}

function raiseStraddles(fold: Fold, losses: readonly StraddleLoss[]): void {
  const open = losses.filter((loss) => isOffset(fold, loss));
  for (const group of Map.groupBy(open, ({ stock, on }) => `${yearOf(on)} ${stock}`).values()) {
    const [first] = group;
    if (first !== undefined) raiseStraddle(fold, first, group);
  }
}

/** Returns null if the line is not a loss, or is neither for stock nor for an option whose symbol names its stock. */
function findStraddleLoss(fold: Fold, line: Disposal): StraddleLoss | null {
  const { asset, assetClass, account, acquired, sold, on, proceeds, quantity, saleId, lotId, code } = line;
  // A gain that is deferred, or later included, is not a loss.
  if (code === 'Z' || code === 'Y') return null;
  const loss = line.basis - proceeds - line.adjustment;
  if (loss <= 0n || quantity <= 0n) return null;
  const common = { transaction: saleId, asset, account, on, loss };
  if (assetClass === 'stock' || assetClass === 'fund')
    return {
      ...common,
      stock: toAssetKey(asset, assetClass),
      rises: !line.shortSale,
      isOption: false,
      isQualified: false,
    };
  const option = assetClass === 'option' ? namedOption(asset) : undefined;
  // A written option is acquired when it is closed. A position opened and closed on one day could not offset another.
  if (option === undefined || acquired === sold) return null;
  const isWritten = acquired > sold;
  const shares = fold.sharesClosed.get(lotId) ?? sharesPerContract;
  const isQualified = isWritten && isQualifiedCall(asset, sold, proceeds, (quantity * shares) / 10n ** 18n);
  return {
    ...common,
    stock: option.stock,
    rises: (option.right === 'call') !== isWritten,
    isOption: true,
    isQualified,
  };
}

/** Returns whether an offsetting position that was open at the time of the loss is still open. */
function isOffset(fold: Fold, loss: StraddleLoss): boolean {
  const rises = !loss.rises;
  return listStockPositions(fold, loss.stock, rises).some(({ isOption, opened, written }) => {
    if (opened > loss.on || (!isOption && !loss.isOption)) return false;
    // Stock and a qualified covered call on it are not a straddle (IRC 1092(c)(4)).
    if (!isOption && rises && loss.isQualified) return false;
    const covers = !loss.isOption && loss.rises && written !== null;
    return (
      !covers ||
      !isQualifiedCall(
        written.asset,
        written.on,
        written.wholePremium,
        (written.wholeQuantity * written.shares) / 10n ** 18n,
      )
    );
  });
}

/**
 * Returns whether a written call counts as a qualified covered call: written more than 30 days and at most 12 months
 * before it expires, and not deep in the money (IRC 1092(c)(4)(B)). No row states the price of the stock. A call is
 * worth at least the amount by which it is in the money, so if the premium is less than 15% of the strike, it is not
 * deep in the money.
 */
export function isQualifiedCall(asset: string, on: Day, premium: bigint, shares: bigint): boolean {
  const option = namedOption(asset);
  if (option?.right !== 'call' || !hasQualifiedTerm(option.expires, on)) return false;
  // The premium is in cents for 10⁻¹⁸ shares, the strike in 10⁻⁸ dollars a share.
  return premium * 1_000_000n * 10n ** 18n * 100n < 15n * option.strike * shares;
}

/**
 * Returns whether the term is more than 30 days and at most 12 months. Longer terms qualify only by benchmarks that the
 * IRS publishes and no row contains (1.1092(c)-4).
 */
export function hasQualifiedTerm(expires: Day, on: Day): boolean {
  return expires - on > 30 && expires < longTermOn(on);
}

function raiseStraddle(fold: Fold, first: StraddleLoss, group: readonly StraddleLoss[]): void {
  const year = yearOf(first.on);
  const dollars = group.reduce((sum, { loss }) => sum + loss, 0n) as Cents;
  const stock = assetOfKey(first.stock);
  fold.facts.push({
    kind: 'issue',
    causedOn: addDays(lastDayOf(year), 1),
    id: `${first.transaction}/0/straddle_suspected/${first.account}/${stock} ${year}`,
    issue: 'straddle_suspected',
    on: first.on,
    asset: first.asset,
    account: first.account,
    transactions: [...new Set(group.map(({ transaction }) => transaction))],
    dollars,
    detail:
      `${first.asset} and other positions in ${stock} were closed at a loss of $${formatCents(dollars)} in ${year}, the first on ${formatDay(first.on)}, while an offsetting ` +
      `position was open and stayed open. If they were a straddle, the loss is deferred to the extent that position had an unrecognized gain at the end of ${year} ` +
      '(IRC 1092(a)), and holding periods may stop (1.1092(b)-2T). The loss on an in-the-money covered call that is qualified is long-term ' +
      'if the stock was (1092(f)). The rows do not state the prices of those days.',
  });
}

import { addDays, formatDay } from '../../../base/day.ts';
import {
  type Cents,
  formatMoney,
  formatQuantity,
  type Money,
  priceTimesQuantity,
  roundToCents,
  zeroCents,
} from '../../../base/decimal.ts';
import { washDays } from '../../../engine/events/wash-window.ts';
import type { AssetClass } from '../../../engine/model.ts';
import { listWithRest, summaryPage } from './answer-gains.ts';
import { lotLine, lotPages } from './answer-lots.ts';
import type { Question } from './question.ts';
import { type AssistantReply, type BookView, type HeldPosition, type ReplyContext, wholeBooks } from './view.ts';
import { count, dollars, formatList, gainOrLoss } from './words.ts';

/** The maximum amount of other income that a net capital loss can offset in one year (IRC 1211(b)(1)). */
const lossAgainstIncomeMax = 300_000n as Cents;
const lotsConsidered = 1_000;
const lotsShown = 10;

/**
 * Answers with what further losses would offset and with recent purchases that would make a sale a wash sale. If the
 * question names an asset and a price, also lists the lots with a loss.
 */
export async function answerHarvest(question: Question, context: ReplyContext): Promise<AssistantReply> {
  const { view, thisYear } = context;
  const parts: string[] = [];
  const [asset] = question.assets;
  if (asset !== undefined && question.price !== null) parts.push(await atPrice(view, asset, question.price));
  parts.push(await useOfLosses(view, thisYear));
  const positions = await view.positions({ ...wholeBooks, asset: asset ?? null });
  const recent = recentlyBought(positions, view);
  if (recent !== '') parts.push(recent);
  if (question.price === null) {
    const example = positions[0]?.asset ?? 'AAPL';
    parts.push(
      `I don't have market prices. Give me a price to get exact numbers: "What if I sell ${example} at $100?"`,
    );
  }
  const pages = [summaryPage(view, thisYear), ...lotPages(view, asset === undefined ? [] : [asset])];
  return { content: parts.join('\n\n'), citations: pages };
}

async function atPrice(view: BookView, asset: string, price: Money): Promise<string> {
  const { first, count: total } = await view.lots({ ...wholeBooks, asset }, lotsConsidered);
  if (total === 0) return `You don't hold any ${asset}.`;
  const valued = first.map((lot) => ({ lot, gain: gainAt(price, lot) }));
  const losing = valued.filter(({ gain }) => gain < 0n).sort((a, b) => Number(a.gain - b.gain));
  const loss = losing.reduce((sum, { gain }) => sum + gain, 0n) as Cents;
  const all = valued.reduce((sum, { gain }) => sum + gain, 0n) as Cents;
  const others = losing.length - lotsShown;
  const considered = total > first.length ? ` (only the oldest ${count(first.length, 'lot')})` : '';
  return [
    `At $${formatMoney(price)} per unit, before fees, your ${asset}${considered} has ${gainOrLoss(all)}; ${
      losing.length === 0
        ? 'no lot has a loss.'
        : `${count(losing.length, 'lot has', 'lots have')} a loss, ${dollars(loss)} in total:`
    }`,
    ...listWithRest(
      losing.slice(0, lotsShown).map(({ lot, gain }) => `${dollars(gain)}: ${lotLine(lot, view.today)}`),
      others,
      'more lot',
    ),
  ].join('\n');
}

function gainAt(price: Money, lot: { quantity: Parameters<typeof formatQuantity>[0]; basis: Cents }): Cents {
  const value = priceTimesQuantity(formatMoney(price), formatQuantity(lot.quantity)) ?? (0n as Money);
  return (roundToCents(value) - lot.basis) as Cents;
}

async function useOfLosses(view: BookView, year: number): Promise<string> {
  const summary = await view.summary(year);
  const { in: carried } = await view.carryover(year);
  const before = (carried.short + carried.long) as Cents;
  const net = (summary.total.gain + summary.contracts1256.gain - before) as Cents;
  const carriedIn = before === 0n ? '' : `, after ${dollars(before)} of losses carried in`;
  const soFar = `${year} so far: ${gainOrLoss(net)}${carriedIn}.`;
  const most = `${dollars(lossAgainstIncomeMax)} a year ($1,500.00 if married filing separately)`;
  if (net > 0n) {
    return `${soFar} You could offset that gain with losses of the same amount. Further losses would offset other income up to ${most}. Any remaining loss carries over.`;
  }
  const open = net <= -lossAgainstIncomeMax ? zeroCents : ((lossAgainstIncomeMax + net) as Cents);
  return `${soFar} Further losses would offset other income up to ${dollars(open)} this year. The limit is ${most}. Any remaining loss carries over.`;
}

function recentlyBought(positions: readonly HeldPosition[], view: BookView): string {
  const since = addDays(view.today, -washDays);
  const recent = positions.filter((each) => each.lastAcquired >= since && washable.has(each.assetClass));
  if (recent.length === 0) return '';
  const names = recent.slice(0, lotsShown).map((each) => `${each.asset} (${formatDay(each.lastAcquired)})`);
  return `You bought these assets within the last ${washDays} days: ${formatList(names)}. If you sold other lots of these assets at a loss now, that would be a wash sale. It would also be one if you bought more in the ${washDays} days after the sale.`;
}

/**
 * Excludes coins, which are not stock or securities under current law, and section 1256 contracts, which the wash sale
 * rule does not cover (IRC 1256(f)(5)).
 */
const washable: ReadonlySet<AssetClass> = new Set([
  'stock',
  'fund',
  'option',
  'bond',
  'treasury_bill',
  'tokenized_security',
]);

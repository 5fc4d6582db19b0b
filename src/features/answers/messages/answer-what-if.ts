import { type Cents, formatQuantity, type Money, type Quantity, roundToCents } from '../../../base/decimal.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Lot } from '../../../engine/model.ts';
import { answerHarvest } from './answer-harvest.ts';
import { lotPages, noLots } from './answer-lots.ts';
import type { Question } from './question.ts';
import {
  type AssistantReply,
  type BookView,
  type PlannedResult,
  type ReplyContext,
  type SaleRequest,
  wholeBooks,
} from './view.ts';
import { formatList, formatRoundedDollars, gainOrLoss } from './words.ts';

const lotsConsidered = 1_000;

/**
 * Answers with the result of a sale today of the lots that the lot method picks. If the question contains a price but
 * no quantity, answers with the result of each lot at that price.
 */
export async function answerWhatIf(question: Question, context: ReplyContext): Promise<AssistantReply> {
  const { view } = context;
  const [asset, another] = question.assets;
  if (asset === undefined) return askBack('Which asset do you mean? For example: "What if I sell 5 AAPL at $150?"');
  if (another !== undefined) return askBack(`Ask for one asset at a time: ${formatList(question.assets, 'or')}?`);
  if (question.unsurePrice !== null) {
    return askBack(
      `Is $${question.unsurePrice} the price of one unit or of the whole sale? Ask with "at $${question.unsurePrice}" for one unit.`,
    );
  }
  if (question.quantity === null && question.price !== null) return answerHarvest(question, context);
  const lots = (await view.lots({ ...wholeBooks, asset }, lotsConsidered)).first;
  const accounts = sumByAccount(lots);
  const named = [...accounts.keys()].filter((name) => question.accounts.includes(name));
  const usedAccounts = named.length === 0 ? [...accounts.keys()] : named;
  if (usedAccounts.length === 0) return { content: noLots(asset), citations: lotPages(view, [asset]) };
  if (usedAccounts.length > 1 && typeof question.quantity === 'bigint') {
    return askBack(`You hold ${asset} in ${formatList(usedAccounts)}. From which account? Name it in the question.`);
  }
  const sales = usedAccounts.map((account): SaleRequest => {
    const held = accounts.get(account) ?? (0n as Quantity);
    return { asset, account, quantity: resolveQuantity(question.quantity, held), price: question.price };
  });
  return previewPlan(view, asset, sales);
}

async function previewPlan(view: BookView, asset: string, sales: readonly SaleRequest[]): Promise<AssistantReply> {
  try {
    const result = await view.whatIf(sales);
    return { content: resultText(asset, sales, result), citations: lotPages(view, [asset]) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return askBack(`I can't calculate that sale: ${error.detail} Name a price: "What if I sell 5 ${asset} at $150?"`);
  }
}

function resultText(asset: string, sales: readonly SaleRequest[], result: PlannedResult): string {
  const units = sales.reduce((sum, { quantity }) => sum + quantity, 0n) as Quantity;
  const price = sales[0]?.price ?? null;
  const priceText =
    price === null
      ? `at the value in your books from ${formatList(result.valuedOn)}`
      : `at ${formatRoundedDollars(price)} per unit`;
  const [short, long] = [roundToCents(result.shortTerm), roundToCents(result.longTerm)];
  return [
    `Selling ${formatQuantity(units)} ${asset} today ${priceText} would bring ${formatRoundedDollars(result.proceeds)} for a basis of ${formatRoundedDollars(result.basis)}: ${gainOrLoss((short + long) as Cents)}.`,
    `- Short-term: ${gainOrLoss(short)}`,
    `- Long-term: ${gainOrLoss(long)}`,
    ...(result.disallowed === (0n as Money)
      ? []
      : [`- Wash sale: ${formatRoundedDollars(result.disallowed)} of the loss would be disallowed.`]),
    ...(result.oversold === 0n ? [] : [`You do not hold ${formatQuantity(result.oversold)} of these units.`]),
    'This excludes fees. A purchase in the following 30 days could still turn a loss into a wash sale.',
  ].join('\n');
}

function askBack(content: string): AssistantReply {
  return { content, citations: [], isUnclear: true };
}

function resolveQuantity(quantity: Question['quantity'], held: Quantity): Quantity {
  if (quantity === 'half') return (held / 2n) as Quantity;
  return quantity ?? held;
}

function sumByAccount(lots: readonly Lot[]): Map<string, Quantity> {
  const accounts = new Map<string, Quantity>();
  for (const { account, quantity } of lots) {
    accounts.set(account, ((accounts.get(account) ?? 0n) + quantity) as Quantity);
  }
  return accounts;
}

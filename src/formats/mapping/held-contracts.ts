import { formatMoney, formatQuantity, type Money, parseMoney, type Quantity } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import type { Draft, Outcome } from '../format.ts';
import { OptionPositions, splitTrade } from '../tables/option-positions.ts';
import type { LotbookTexts } from './mapped-line.ts';

/**
 * A purchase or sale of contracts whose row does not show whether it opens or closes a position, or an event that ends
 * contracts.
 */
interface HeldContract {
  readonly on: number;
  /** Identifies the account and the contract. */
  readonly key: string;
  readonly does: 'buy' | 'sell' | 'end';
  readonly isOption: boolean;
  readonly quantity: Quantity;
  /** Reads the row, written as this line. */
  readonly read: (line: LotbookTexts) => readonly Outcome[];
  readonly line: LotbookTexts;
}

const rowsHeldMax = 20_000;

/**
 * Holds contract rows until the end of the file, because files may be newest first. The first sale of a contract opens
 * a short position only if the file later closes it. Otherwise, the contract may have been bought before the file
 * begins, so the row is a plain sale, and the engine asks for the lots.
 */
export class HeldContracts {
  private readonly held: HeldContract[] = [];

  add(row: HeldContract): readonly Outcome[] {
    if (this.held.length >= rowsHeldMax) return row.read({ ...row.line, type: row.does });
    this.held.push(row);
    return [];
  }

  end(): readonly Outcome[] {
    const [first, last] = [this.held[0], this.held.at(-1)];
    if (first !== undefined && last !== undefined && first.on > last.on) this.held.reverse();
    const rows = this.held.splice(0).sort((a, b) => a.on - b.on);
    const positions = new OptionPositions();
    const traded = rows.map((row) => {
      if (row.does !== 'end') return [...positions.trade(row.key, row.does, row.quantity)];
      positions.end(row.key, row.quantity);
      return [];
    });
    const closings = new Map(rows.flatMap((row, index) => (row.does === 'sell' ? [] : [[row.key, index] as const])));
    return rows.flatMap((row, index) => {
      const parts = traded[index] ?? [];
      const { does } = row;
      if (does === 'end') return row.read(row.line);
      const isOpen = (trade: string): boolean => trade === 'sell_to_open' && (closings.get(row.key) ?? -1) < index;
      const [amount, fee] = [parseMoneyOrNull(row.line.amount), parseMoneyOrNull(row.line.fee)];
      const lines = splitTrade(parts, row.quantity, { amount, fee }).map((part) => ({
        ...row.line,
        type: toContractType(isOpen(part.type) ? does : part.type, row.isOption),
        quantity: formatQuantity(part.quantity ?? row.quantity),
        amount: formatMoneyOrEmpty(part.amount),
        fee: formatMoneyOrEmpty(part.fee),
      }));
      return joinOutcomes(lines.map((line) => row.read(line)));
    });
  }
}

/**
 * Returns the type for contracts. Options are opened and closed. Futures are bought and sold, or sold short and
 * covered.
 */
function toContractType(type: TransactionType, isOption: boolean): TransactionType {
  if (isOption) return type === 'sell' ? 'sell_to_close' : type === 'buy' ? 'buy_to_open' : type;
  return ofFutures[type] ?? type;
}

const ofFutures: Readonly<Partial<Record<TransactionType, TransactionType>>> = {
  buy_to_open: 'buy',
  sell_to_close: 'sell',
  sell_to_open: 'short_sell',
  buy_to_close: 'cover',
};

function parseMoneyOrNull(text: string | undefined): Money | null {
  return text === undefined || text === '' ? null : (parseMoney(text) ?? null);
}

function formatMoneyOrEmpty(money: Money | null | undefined): string {
  return money === null || money === undefined ? '' : formatMoney(money);
}

/** Joins the drafts of one row into one outcome. A rejected part rejects the row. */
export function joinOutcomes(parts: readonly (readonly Outcome[])[]): readonly Outcome[] {
  const outcomes = parts.flat();
  const [first] = outcomes;
  if (first === undefined || outcomes.length === 1) return outcomes;
  const other = outcomes.find(({ kind }) => kind !== 'read');
  if (other !== undefined) return [other];
  const drafts: Draft[] = outcomes.flatMap((one) => (one.kind === 'read' ? [...one.drafts] : []));
  return [{ kind: 'read', lines: first.lines, drafts }];
}

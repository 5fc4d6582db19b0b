import type { TransactionType } from '../engine/model.ts';
import { HeaderColumns } from './cells/cells.ts';
import { withWarning } from './cells/drafts.ts';
import type { Outcome, Row } from './format.ts';
import { disagreementWith } from './tables/stated-money.ts';

/** Checks the amount of each trade against the price in its row. */
export class PriceCheck {
  compared = 0;
  differing = 0;
  private readonly place: number;
  /** Prices by line, for rows whose outcome is still unknown. */
  private readonly waiting = new Map<number, string>();

  constructor(column: string, header: Row) {
    this.place = new HeaderColumns(header).findColumnIndexes(column)[0] ?? -1;
  }

  take(row: Row): void {
    const text = row.cells[this.place]?.trim() ?? '';
    if (text !== '') this.waiting.set(row.line, text);
  }

  /**
   * Returns the outcome, with a warning if price and amount disagree. Skips trades of several rows with different
   * prices.
   */
  settle(outcome: Outcome): Outcome {
    const prices = new Set<string>();
    for (const line of outcome.lines) {
      const price = this.waiting.get(line);
      if (price === undefined) continue;
      prices.add(price);
      this.waiting.delete(line);
    }
    const isOfParts = prices.size > 1 && outcome.lines.length > sidesOfTrade;
    if (outcome.kind !== 'read' || prices.size === 0 || isOfParts) return outcome;
    const [draft, other] = outcome.drafts;
    const side = draft === undefined ? undefined : sides[draft.type];
    if (draft === undefined || other !== undefined || side === undefined || draft.warning !== undefined) return outcome;
    const fee = draft.feeAsset === '' ? draft.fee : null;
    const trade = { side, units: draft.quantity, gross: draft.amount, fee };
    this.compared += 1;
    const disagreement = [...prices].map((price) => disagreementWith(price, trade)).find((one) => one !== null);
    if (disagreement === undefined) return outcome;
    this.differing += 1;
    return { ...outcome, drafts: [withWarning(draft, `Check line ${draft.line}: ${disagreement}.`)] };
  }
}

/** A ledger has one row for the sent side and one for the received side. */
const sidesOfTrade = 2;

const sides: Partial<Record<TransactionType, 'buy' | 'sell'>> = {
  ...{ buy: 'buy', cover: 'buy', buy_to_open: 'buy', buy_to_close: 'buy' },
  ...{ sell: 'sell', short_sell: 'sell', sell_to_open: 'sell', sell_to_close: 'sell' },
};

import type { Quantity } from '../../base/decimal.ts';
import { Cells, HeaderColumns } from '../cells/cells.ts';
import { skips } from '../cells/reasons.ts';
import type { Draft, Format, Outcome } from '../format.ts';
import { readSide } from '../tables/legs.ts';
import { readMovement } from '../tables/movements.ts';

type DaliRow = Extract<Outcome, { kind: 'read' }>;

/** The maximum number of halves held in memory. A half beyond it is read on its own. */
const halvesMax = 20_000;

/**
 * Reads transfers between wallets. A transfer is one complete row, or two halves with the same unique id, sent in one
 * file and received in another. Two halves form one transfer, and a half is redundant if the complete row exists.
 */
export const openTransfers: Format['open'] = (_layout, header, context) => {
  const columns = new HeaderColumns(header);
  const halves = new Map<string, DaliRow>();
  const wholes = new Set<string>();
  return {
    read: (row) => {
      const cells = new Cells(row, columns, context);
      const outcome = readTransfer(cells);
      const id = cells.text('Unique ID');
      const [draft] = outcome.kind === 'read' ? outcome.drafts : [];
      if (outcome.kind !== 'read' || draft === undefined || id === '') return [outcome];
      const half = halves.get(id);
      if (draft.type === 'transfer') {
        if (wholes.size < halvesMax) wholes.add(id);
        halves.delete(id);
        return half === undefined
          ? [outcome]
          : [outcome, { kind: 'skipped', lines: half.lines, reason: skips.inTransferRow }];
      }
      if (wholes.has(id)) return [cells.skip(skips.inTransferRow)];
      if (half === undefined && halves.size < halvesMax) {
        halves.set(id, outcome);
        return [];
      }
      const joined = half === undefined ? undefined : join(half, outcome);
      if (joined === undefined) return [outcome];
      halves.delete(id);
      return [joined];
    },
    end: () => [...halves.values()],
  };
};

function readTransfer(cells: Cells): Outcome {
  const given = readSide(cells, 'Asset', 'Crypto Sent');
  const received = readSide(cells, 'Asset', 'Crypto Received');
  const time = cells.time('Timestamp');
  const common = {
    account: cells.text(given === null ? 'To Exchange' : 'From Exchange'),
    externalId: cells.text('Unique ID'),
    note: cells.text('Notes'),
  };
  const toAccount = cells.text('To Exchange');
  return readMovement(cells, time, { given, received, toAccount }, common);
}

/** Joins a sent and a received half into one transfer. Returns undefined if the rows are not such halves. */
function join(first: DaliRow, second: DaliRow): DaliRow | undefined {
  const drafts = [...first.drafts, ...second.drafts];
  const sent = drafts.find(({ type }) => type === 'withdrawal');
  const arrived = drafts.find(({ type }) => type === 'deposit');
  if (sent === undefined || arrived === undefined || sent.asset !== arrived.asset) return undefined;
  const lost = (sent.quantity ?? 0n) - (arrived.quantity ?? 0n);
  if (lost < 0n) return undefined;
  const network = lost === 0n ? {} : { feeAsset: sent.asset, feeQuantity: lost as Quantity };
  const line = Math.min(sent.line, arrived.line);
  const whole: Draft = {
    ...sent,
    ...network,
    line,
    type: 'transfer',
    quantity: arrived.quantity,
    toAccount: arrived.account,
  };
  return { kind: 'read', lines: [...first.lines, ...second.lines].sort((a, b) => a - b), drafts: [whole] };
}

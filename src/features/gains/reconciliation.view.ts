import { formatDay } from '../../base/day.ts';
import { type Cents, formatCents, formatQuantity } from '../../base/decimal.ts';
import type { Disposal } from '../../engine/model.ts';
import { urlSafe } from '../../forms/ids.ts';
import { unknownDate } from '../../forms/missing-basis.ts';
import type { DeskEntry, DeskForm } from '../../forms/reconciliation/desk.ts';
import type { DeskFigures, DeskPart } from '../../forms/reconciliation/parts.ts';

export function formView({ shown, ours, ...form }: DeskForm) {
  const subtract = (name: (typeof amounts)[number]): string => formatCents((ours[name] - shown[name]) as Cents);
  return {
    ...form,
    shown: { ...amountsView(shown), count: shown.count },
    ours: { ...amountsView(ours), count: ours.count },
    difference: {
      proceeds: subtract('proceeds'),
      basis: subtract('basis'),
      adjustment: subtract('adjustment'),
      gain: subtract('gain'),
    },
  };
}

export function entryView({
  id,
  account,
  form,
  on,
  asset,
  kind,
  code,
  value,
  asks,
  reason,
  row,
  shown,
  parts,
}: DeskEntry) {
  return {
    id: urlSafe(id),
    account,
    form,
    date: formatDay(on),
    asset,
    kind,
    code,
    value: formatCents(value),
    asks,
    reason,
    row:
      row === null || shown === null
        ? null
        : {
            transactionId: urlSafe(row.id),
            quantity: row.quantity === null ? null : formatQuantity(row.quantity),
            acquired: row.acquired === null ? null : formatDay(row.acquired),
            proceeds: formatCents(shown.proceeds),
            basis: row.basis === null ? null : formatCents(shown.basis),
            wash: row.wash === null ? null : formatCents(shown.adjustment),
            box: row.box,
            term: row.term,
          },
    lines: parts.map(partView),
  };
}

function partView(part: DeskPart) {
  const { line, units } = part;
  const { id, lotId, box } = line.disposal;
  return {
    disposalId: urlSafe(id),
    lotId: urlSafe(lotId),
    quantity: formatQuantity(units),
    acquired: formatAcquired(line.disposal),
    ...amountsView(part),
    code: line.code,
    box,
  };
}

const amounts = ['proceeds', 'basis', 'adjustment', 'gain'] as const;

function amountsView({ proceeds, basis, adjustment, gain }: Omit<DeskFigures, 'count'>) {
  return {
    proceeds: formatCents(proceeds),
    basis: formatCents(basis),
    adjustment: formatCents(adjustment),
    gain: formatCents(gain),
  };
}

function formatAcquired({ acquired, acquiredVarious, inherited, purchaseUnknown }: Disposal): string {
  if (purchaseUnknown) return unknownDate;
  if (acquiredVarious) return 'VARIOUS';
  return inherited ? 'INHERITED' : formatDay(acquired);
}

import type { Cents } from '../../../base/decimal.ts';
import { least } from '../../book/amounts.ts';
import type { NotOnForm1099 } from '../../book/book.ts';
import { disposalWith } from '../../book/plain-disposal.ts';
import type { Disposal } from '../../model.ts';
import { isBasisReported } from './box.ts';
import { toLineColumns } from './columns.ts';
import { computeTerm } from './term.ts';

/**
 * Returns the line as the broker's form will show it, if the basis is reported to the IRS. (e) shows the basis that the
 * broker knows, code B corrects it in (g), and code T marks a different term (i8949, column (f)).
 */
export function withForm1099Basis(line: Disposal, { stepUp, heldSince }: NotOnForm1099): Disposal {
  if (!isBasisReported(line.box)) return line;
  // No form shows a negative basis.
  const missing = least(stepUp, line.basis);
  const isByPeriod = line.term === computeTerm(line.inherited, line.heldSince, line.sold);
  const columns = toLineColumns({
    proceeds: line.proceeds,
    basis: line.basis,
    term: line.term,
    adjustments: [[line.code, line.adjustment]],
    unreflectedCosts: null,
    wrongBasis: missing > 0n ? line.basis - missing : null,
    basisReported: true,
    termShown: isByPeriod ? computeTerm(line.inherited, heldSince, line.sold) : null,
    washShown: false,
  });
  return disposalWith(line, columns);
}

/** Undoes `withForm1099Basis`, because a row of the form states the actual amounts on the form. */
export function withoutForm1099(line: Disposal): Disposal {
  if (line.code !== 'B' && line.code !== 'T' && line.code !== 'BT') return line;
  const basis = (line.basis - line.adjustment) as Cents;
  return disposalWith(line, { basis, code: '', adjustment: 0n as Cents });
}

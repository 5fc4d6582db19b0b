import { boxOrder } from './lines.ts';
import type { ReportBooks } from './report.ts';
import { buildStatements } from './rows.ts';

/**
 * Returns instructions for filing the statement behind rows of totals (code M) if the return is filed electronically.
 * The lines are sent along as a PDF, or by mail with Form 8453 (i8949, Exception 2, "E-file"). Empty if there are no
 * such rows.
 */
export function mailingInstructions(books: ReportBooks): readonly string[] {
  if (books.choices?.exception2 !== true) return [];
  const { statements } = buildStatements(books);
  if (statements.length === 0) return [];
  const named = boxOrder.filter((box) => statements.some(({ total }) => total.box === box));
  const count = statements.length === 1 ? 'the statement' : `the ${statements.length} statements`;
  return [
    `If you e-file the totals of ${named.length === 1 ? 'box' : 'boxes'} ${named.join(', ')} (code M), the IRS must also receive the lines. If your program allows it, attach ${count} behind Form 8949 in the Form 8949 PDF to the return as a PDF. Otherwise check "Form 8949" on Form 8453, attach the same pages, and mail them within 3 business days after the IRS accepts the return. Form 8453 itself is not in this file: download it from irs.gov/Form8453.`,
  ];
}

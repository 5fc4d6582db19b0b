import { assumedForms, joinBoxes, setStep } from '../assumed-forms.ts';
import { palette, type Sheet } from '../pdf/sheet.ts';
import { drawTable } from '../pdf/table.ts';
import type { ReportBooks } from '../report.ts';

/** Draws the chapter that lists the accounts whose form is assumed. Omitted if every form is set. */
export function drawAssumedForms(sheet: Sheet, books: ReportBooks): void {
  const assumed = assumedForms(books);
  if (assumed.length === 0) return;
  sheet.open('Assumed forms', 'flowing');
  sheet.paragraph(
    'No form is set for these accounts. The box of each sale follows from the form, so compare them with the Forms 1099 ' +
      `that you received. ${setStep}`,
    'regular',
    palette.warning,
  );
  drawTable(
    sheet,
    'Account 4 | Boxes 2 | Assumed 2 | Suggested 2 | Because of 3',
    assumed.map(({ account, boxes, form, suggestedForm, because }) => ({
      cells: [
        account,
        joinBoxes(boxes),
        form === 'none' ? 'no form' : form,
        suggestedForm ?? '',
        because === null ? '' : reasonWords[because],
      ],
    })),
  );
}

/** Returns the sentence for the cover. Null if every form is set. */
export function assumedFormsRemark(books: ReportBooks): string | null {
  const { length } = assumedForms(books);
  if (length === 0) return null;
  return length === 1
    ? 'The boxes of 1 account are assumed, because its form is not set; see Assumed forms.'
    : `The boxes of ${length} accounts are assumed, because their forms are not set; see Assumed forms.`;
}

const reasonWords = {
  lines: 'lines of this form in your records',
  source: 'the source of its rows',
  name: 'the name of the account',
} as const;

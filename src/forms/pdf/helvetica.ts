/**
 * Returns a character's width in the core fonts Helvetica and Helvetica Bold, in thousandths (from Adobe's font
 * metrics; the slanted faces have the same widths). jsPDF's own table is rounded to hundredths, which adds up to three
 * points in a long line.
 */
export function helveticaWidth(character: string, bold: boolean): number | undefined {
  const [base = ''] = character.normalize('NFD');
  const known = punctuation[character];
  if (known !== undefined) return known[bold ? 1 : 0];
  return (bold ? boldWidths : widths)[base.charCodeAt(0) - 32];
}

const punctuation: Readonly<Record<string, readonly [number, number]>> = {
  '‘': [222, 278],
  '’': [222, 278],
  '“': [333, 500],
  '”': [333, 500],
  '–': [556, 556],
  '—': [1000, 1000],
  '…': [1000, 1000],
  '•': [350, 350],
  '·': [278, 278],
  '×': [584, 584],
  '§': [556, 556],
  '€': [556, 556],
  '\u00a0': [278, 278],
};

/** In ASCII order starting with the space, sixteen per row. */
const widths: readonly number[] = table(`
  278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278
  556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556
  1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778
  667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556
  333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556
  556 556 333 500 278 556 500 722 500 500 500 334 260 334 584
`);

const boldWidths: readonly number[] = table(`
  278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278
  556 556 556 556 556 556 556 556 556 556 333 333 584 584 584 611
  975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778
  667 778 722 667 611 722 667 944 667 667 611 333 278 333 584 556
  333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611
  611 611 389 556 333 611 556 778 556 556 500 389 280 389 584
`);

function table(text: string): number[] {
  return text.trim().split(/\s+/).map(Number);
}

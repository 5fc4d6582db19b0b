import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

export type Rectangle = readonly [left: number, bottom: number, right: number, top: number];

/** A page of a form: the rectangles of its fields by their PDF names, and its words. */
export interface FormPageRead {
  readonly fields: ReadonlyMap<string, Rectangle>;
  readonly words: readonly string[];
}

/** Reads the fields and words of a PDF form, page by page, in points from the lower left corner. */
export async function readForm(bytes: Uint8Array, year: number): Promise<FormPageRead[]> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
  const document = await task.promise;
  const pages: FormPageRead[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const fields = new Map<string, Rectangle>();
    for (const { subtype, fieldName, rect } of await page.getAnnotations()) {
      if (subtype === 'Widget') fields.set(String(fieldName), rect as unknown as Rectangle);
    }
    const { items } = await page.getTextContent();
    const text = items.map((item) => ('str' in item ? `${item.str} ` : '')).join('');
    pages.push({ fields, words: splitWords(text, year) });
  }
  await task.destroy();
  return pages;
}

/**
 * Keeps letters and digits. Omits leader dots, the year, which the official form sets in two pieces, and the creation
 * date of the file.
 */
function splitWords(text: string, year: number): string[] {
  return text

    .replace(new RegExp(`20 ?${year % 100}\\b|created \\d+/\\d+/\\d+`, 'gi'), ' ')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '');
}

import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A piece of text found by a PDF reader, in points from the lower left corner. */
export interface Piece {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
}

export interface ReadPdf {
  /** Pieces of text by page, in the order in the file. */
  readonly pages: readonly (readonly Piece[])[];
  readonly bookmarks: readonly string[];
}

export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const task = getDocument({ data: bytes.slice(), verbosity: 0 });
  const document = await task.promise;
  const pages: Piece[][] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent({ disableNormalization: true });
    pages.push(
      items.flatMap((item) => {
        if (!('str' in item) || item.str.trim() === '') return [];
        const [a, b, , , x, y] = item.transform as number[];
        return [{ text: item.str, x: x ?? 0, y: y ?? 0, width: item.width, size: Math.hypot(a ?? 0, b ?? 0) }];
      }),
    );
  }
  const outline = (await document.getOutline()) ?? [];
  const bookmarks = outline.flatMap(({ title, items }) => [
    title,
    ...items.map((item: { title: string }) => item.title),
  ]);
  await task.destroy();
  return { pages, bookmarks };
}

export function allText(pdf: ReadPdf): string {
  return pdf.pages.map((page) => page.map((piece) => piece.text).join('\n')).join('\n');
}

/** Returns the text inside a rectangle, read from top to bottom and left to right, joined by spaces. */
export function inside(
  page: readonly Piece[],
  [left, bottom, right, top]: readonly [number, number, number, number],
): string {
  const found = page.filter(
    ({ x, y, width }) => x + width / 2 > left && x + width / 2 < right && y >= bottom && y < top,
  );
  return [...found]
    .sort((a, b) => b.y - a.y || a.x - b.x)
    .map((piece) => piece.text)
    .join(' ');
}

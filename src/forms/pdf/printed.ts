import { black, type Canvas, type Color, type Face } from './canvas.ts';

const faces: Readonly<Record<string, Face>> = { '*': 'bold', _: 'italic', '^': 'boldItalic' };

interface PrintedStyle {
  readonly size: number;
  /** The x-coordinate of the right edge. The text is stretched to reach it. */
  readonly to?: number;
  readonly align?: 'left' | 'center';
  readonly color?: Color;
}

/** Draws a line of a form's printed text, with `*bold*`, `_italic_` and `^bold italic^`. */
export function drawPrinted(canvas: Canvas, x: number, y: number, text: string, style: PrintedStyle): void {
  const segments = parseSegments(text);
  const { size, color = black } = style;
  const natural = segments.reduce((width, segment) => width + canvas.measure(segment.text, size, segment.face), 0);
  const scale = style.to === undefined ? 1 : (style.to - x) / natural;
  let left = style.align === 'center' ? x - natural / 2 : x;
  for (const { text: part, face } of segments) {
    const width = canvas.measure(part, size, face) * scale;
    canvas.text(left, y, part, { size, face, color, stretchTo: width });
    left += width;
  }
}

function parseSegments(text: string): { text: string; face: Face }[] {
  const segments: { text: string; face: Face }[] = [];
  for (const match of text.matchAll(/([*_^])(.+?)\1|[^*_^]+/g)) {
    const [whole, mark, inside] = match;
    segments.push({ text: inside ?? whole, face: mark === undefined ? 'regular' : (faces[mark] ?? 'regular') });
  }
  return segments;
}

/** A tag for a table with one printed line per row: two numbers and the text. */
export function printedRows(
  table: TemplateStringsArray,
  ...values: readonly (string | number)[]
): (readonly [number, number, string])[] {
  const rows = String.raw({ raw: table }, ...values).matchAll(/^ *([\d.]+) +([\d.]+) +(.+)$/gm);
  return Array.from(rows, ([, first, second, text = '']) => [Number(first), Number(second), text]);
}

/** Draws the white name of a form's part in its black field. */
export function drawPartLabel(canvas: Canvas, bottom: number, name: string, size = 10): void {
  canvas.fillRect(36, bottom, 36, 12, black);
  canvas.text(54, bottom + 2.8, name, { size, face: 'bold', align: 'center', color: [1, 1, 1] });
}

import type { Canvas, Color } from './canvas.ts';
import { contentWidth, margin, palette, type Sheet } from './sheet.ts';

interface TableColumn {
  readonly title: string;
  /** The column's share of the width, relative to the other shares. */
  readonly share: number;
  readonly align: 'left' | 'right' | 'center';
}

export interface TableRow {
  readonly cells: readonly string[];
  /** Whether this is a line of totals, in bold under a rule. */
  readonly total?: boolean;
}

const size = 7.6;
const rowHeight = 13;
const padding = 3;

/**
 * Draws a table that may continue on further pages. Each page repeats the header. The columns are `Title share
 * alignment`, separated by bars: `Asset 3 | Quantity 2.5 right`.
 */
export function drawTable(sheet: Sheet, columnsText: string, rows: Iterable<TableRow>): void {
  const columns = parseColumns(columnsText);
  const spans = computeSpans(columns);
  sheet.need(rowHeight * 3);
  drawHead(sheet, columns, spans);
  let band = false;
  for (const row of rows) {
    if (sheet.need(rowHeight)) drawHead(sheet, columns, spans);
    drawRow(sheet, columns, spans, row, band);
    band = !band;
  }
  sheet.space(12);
}

function parseColumns(text: string): TableColumn[] {
  return text.split('|').map((column) => {
    const [, title = '', share, align = 'left'] = /^(.*?) ?([\d.]+)(?: (right|center))?$/.exec(column.trim()) ?? [];
    return { title, share: Number(share), align: align as TableColumn['align'] };
  });
}

interface CellSpan {
  readonly from: number;
  readonly to: number;
}

function computeSpans(columns: readonly TableColumn[]): readonly CellSpan[] {
  const shares = columns.reduce((sum, column) => sum + column.share, 0);
  let from = margin;
  return columns.map((column) => {
    const to = from + (contentWidth * column.share) / shares;
    const span = { from, to };
    from = to;
    return span;
  });
}

function drawHead(sheet: Sheet, columns: readonly TableColumn[], spans: readonly CellSpan[]): void {
  const { canvas, y } = sheet;
  columns.forEach((column, index) => {
    drawCell(canvas, spans[index], y - 9.5, column.title, column.align, true, palette.muted);
  });
  canvas.line(margin, y - rowHeight, margin + contentWidth, y - rowHeight, 0.75, palette.accent);
  sheet.space(rowHeight);
}

function drawRow(
  sheet: Sheet,
  columns: readonly TableColumn[],
  spans: readonly CellSpan[],
  row: TableRow,
  band: boolean,
): void {
  const { canvas, y } = sheet;
  const total = row.total === true;
  if (band && !total) canvas.fillRect(margin, y - rowHeight, contentWidth, rowHeight, palette.band);
  if (total) canvas.line(margin, y, margin + contentWidth, y, 0.75, palette.accent);
  row.cells.forEach((text, index) => {
    drawCell(canvas, spans[index], y - 9.5, text, columns[index]?.align ?? 'left', total, palette.text);
  });
  sheet.space(rowHeight);
}

function drawCell(
  canvas: Canvas,
  span: CellSpan | undefined,
  y: number,
  text: string,
  align: TableColumn['align'],
  bold: boolean,
  color: Color,
): void {
  if (span === undefined || text === '') return;
  const face = bold ? 'bold' : 'regular';
  const widthMax = span.to - span.from - 2 * padding;
  const x = align === 'left' ? span.from + padding : align === 'right' ? span.to - padding : (span.from + span.to) / 2;
  canvas.text(x, y, shorten(canvas, text, widthMax, face), { size, face, color, align, widthMax });
}

/**
 * The number of characters kept at the end of a long text, such as the line number in a file or the last letters of a
 * name.
 */
const tailCharacters = 14;

/** Shrinks text to as little as three quarters of its size. If it is still too long, cuts the middle. */
function shorten(canvas: Canvas, text: string, widthMax: number, face: 'bold' | 'regular'): string {
  const limit = widthMax / 0.75;
  if (canvas.measure(text, size, face) <= limit) return text;
  const characters = [...text];
  const tail = characters.slice(-tailCharacters).join('');
  let kept = characters.slice(0, Math.min(200, characters.length - tailCharacters));
  while (kept.length > 1 && canvas.measure(`${kept.join('')}…${tail}`, size, face) > limit) kept = kept.slice(0, -1);
  return `${kept.join('')}…${tail}`;
}

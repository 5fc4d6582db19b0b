import type { Row } from '../format.ts';
import { isVisible, PlainRow } from '../rows/plain-row.ts';

/**
 * Reads the trimmed cells of the current row. In a row without quotes, cells are read in place within its block of text,
 * because cutting a million rows into strings takes as long as everything else (`scripts/bench`, reading).
 */
export class RowCells {
  count = 0;
  /** The last cell found: its text, start and end. */
  source = '';
  from = 0;
  to = 0;
  private row: Row = noRow;
  private block: string | null = null;
  /** The positions of the delimiters around the cells: the cell at index `i` is between those at `i` and `i + 1`. */
  private readonly bounds: number[] = [-1];
  /** The end of the last row in the block, and the first delimiter after it, where the next row usually begins. */
  private end = 0;
  private next = 0;
  /** Texts read before, by a hash, because most columns repeat a few texts. */
  private readonly known: string[] = new Array(knownMax).fill('');

  open(row: Row): void {
    this.row = row;
    if (row instanceof PlainRow) {
      this.count = this.findBounds(row);
      this.block = row.source;
    } else {
      this.block = null;
      this.count = row.cells.length;
    }
  }

  /** Points `source`, `from` and `to` at the cell at this position, or at an empty one if there is none. */
  find(columnIndex: number): void {
    if (columnIndex < 0 || columnIndex >= this.count) {
      this.point('', 0, 0);
      return;
    }
    if (this.block === null) {
      const cell = this.row.cells[columnIndex] ?? '';
      this.pointAtTrimmedText(cell, 0, cell.length);
    } else {
      const { bounds } = this;
      this.pointAtTrimmedText(this.block, (bounds[columnIndex] as number) + 1, bounds[columnIndex + 1] as number);
    }
  }

  /** Returns the cell at this position as its own string. '' if there is none. */
  text(columnIndex: number): string {
    this.find(columnIndex);
    const { source, from, to } = this;
    const length = to - from;
    if (length === 0) return '';
    if (length > knownCharactersMax) return source.slice(from, to);
    const hash = 31 * source.charCodeAt(from) + 7 * source.charCodeAt(to - 1) + source.charCodeAt(from + (length >> 1));
    const slot = (hash + 67 * length) & (knownMax - 1);
    const known = this.known[slot] as string;
    if (known.length === length && isAt(source, from, known)) return known;
    const text = source.slice(from, to);
    this.known[slot] = text;
    return text;
  }

  private pointAtTrimmedText(source: string, from: number, to: number): void {
    if (to - from === 0 || (isVisible(source.charCodeAt(from)) && isVisible(source.charCodeAt(to - 1)))) {
      this.point(source, from, to);
      return;
    }
    const text = source.slice(from, to).trim();
    this.point(text, 0, text.length);
  }

  private point(source: string, from: number, to: number): void {
    this.source = source;
    this.from = from;
    this.to = to;
  }

  private findBounds({ source, from, to, delimiter }: PlainRow): number {
    const { bounds } = this;
    let count = 0;
    const isNext = source === this.block && from >= this.end && from <= this.next;
    let next = isNext ? this.next : findNext(source, delimiter, from);
    bounds[0] = from - 1;
    while (next < to) {
      bounds[++count] = next;
      next = findNext(source, delimiter, next + 1);
    }
    bounds[++count] = to;
    this.end = to;
    this.next = next;
    return count;
  }
}

/** Returns the position of the delimiter, or one beyond every text that still is a small integer for the engine. */
function findNext(source: string, delimiter: string, from: number): number {
  const at = source.indexOf(delimiter, from);
  return at === -1 ? beyondText : at;
}

const beyondText = 2 ** 31 - 1;

/** Returns whether a short text is at this position. For a few characters, this is faster than `startsWith`. */
function isAt(source: string, from: number, text: string): boolean {
  for (let at = 0; at < text.length; at++) if (source.charCodeAt(from + at) !== text.charCodeAt(at)) return false;
  return true;
}

/** Each known text keeps its block of the file in memory, so there are few. */
const knownMax = 128;
const knownCharactersMax = 24;

const noRow: Row = { line: 0, cells: [] };

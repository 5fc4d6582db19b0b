import type { Row } from '../format.ts';
import { isVisible, PlainRow } from '../rows/plain-row.ts';

/**
 * Reads the trimmed cells of the current row. In a row without quotes, cells are read in place within the record,
 * because splitting a million rows into strings takes a third of the total reading time (`scripts/bench`, report).
 */
export class RowCells {
  count = 0;
  /** The last cell found: its text, start and end. */
  source = '';
  from = 0;
  to = 0;
  private row: Row = noRow;
  private record: string | null = null;
  /** The end position of each cell in the record. */
  private readonly ends: number[] = [];
  /**
   * The last text read at each position, because most columns repeat a few texts. A text keeps its block of the file in
   * memory.
   */
  private readonly last: string[] = [];

  open(row: Row): void {
    this.row = row;
    if (row instanceof PlainRow) {
      this.record = row.text;
      this.count = this.findEnds(row.text, row.delimiter.charCodeAt(0));
    } else {
      this.record = null;
      this.count = row.cells.length;
    }
  }

  /** Points `source`, `from` and `to` at the cell at this position, or at an empty one if there is none. */
  find(columnIndex: number): void {
    if (columnIndex < 0 || columnIndex >= this.count) {
      this.point('', 0, 0);
      return;
    }
    if (this.record === null) {
      const cell = this.row.cells[columnIndex] ?? '';
      this.pointAtTrimmedText(cell, 0, cell.length);
    } else
      this.pointAtTrimmedText(
        this.record,
        columnIndex === 0 ? 0 : (this.ends[columnIndex - 1] as number) + 1,
        this.ends[columnIndex] as number,
      );
  }

  /** Returns the cell at this position as its own string. '' if there is none. */
  text(columnIndex: number): string {
    this.find(columnIndex);
    const { source, from, to } = this;
    const last = this.last[columnIndex];
    if (last !== undefined && last.length === to - from && source.startsWith(last, from)) return last;
    const text = source.slice(from, to);
    if (columnIndex >= 0) this.last[columnIndex] = text;
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

  private findEnds(text: string, delimiter: number): number {
    const { ends } = this;
    let count = 0;
    for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === delimiter) ends[count++] = at;
    ends[count++] = text.length;
    return count;
  }
}

const noRow: Row = { line: 0, cells: [] };

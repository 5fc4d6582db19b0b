import type { Row } from '../format.ts';
import { isVisible, PlainRow } from '../rows/plain-row.ts';

/**
 * The cells of one row after the other, trimmed. Of a row without quotes a cell is a part of its record, read where it
 * stands: to cut a million rows into texts takes a third of the time of reading them (`scripts/bench`, report).
 */
export class RowCells {
  /** How many cells the row has. */
  count = 0;
  /** Where the cell found last lies: in which text, from where, and up to where. */
  source = '';
  from = 0;
  to = 0;
  private row: Row = noRow;
  private record: string | null = null;
  /** Where the cells of the record end. */
  private readonly ends: number[] = [];
  /** What was read last in each place: most columns say the same few things. A text holds on to the block it stands in. */
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

  /** Puts the cell of that place where `source`, `from` and `to` say; an empty one where there is none. */
  find(place: number): void {
    if (place < 0 || place >= this.count) {
      this.point('', 0, 0);
      return;
    }
    if (this.record === null) {
      const cell = this.row.cells[place] ?? '';
      this.findIn(cell, 0, cell.length);
    } else this.findIn(this.record, place === 0 ? 0 : (this.ends[place - 1] as number) + 1, this.ends[place] as number);
  }

  /** The cell of that place as a text of its own; '' where there is none. */
  text(place: number): string {
    this.find(place);
    const { source, from, to } = this;
    const last = this.last[place];
    if (last !== undefined && last.length === to - from && source.startsWith(last, from)) return last;
    const text = source.slice(from, to);
    if (place >= 0) this.last[place] = text;
    return text;
  }

  private findIn(source: string, from: number, to: number): void {
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

import type { Row } from '../format.ts';

/**
 * A record without quotes: a part of a block of text. The cells are the texts between the delimiters, cut out on first
 * access.
 */
export class PlainRow implements Row {
  private cut: readonly string[] | null = null;

  constructor(
    readonly line: number,
    /** The block of text that contains the record between `from` and `to`. */
    readonly source: string,
    readonly from: number,
    readonly to: number,
    readonly delimiter: string,
  ) {}

  get text(): string {
    return this.source.slice(this.from, this.to);
  }

  get cells(): readonly string[] {
    this.cut ??= this.text.split(this.delimiter);
    return this.cut;
  }

  /** Whether the first cell begins with a visible character, as most do. */
  get beginsWithWord(): boolean {
    const { source, from, to } = this;
    return from < to && isVisible(source.charCodeAt(from)) && !source.startsWith(this.delimiter, from);
  }

  /** Returns whether the number of cells and the length of each are within the limits. */
  fits(cellsMax: number, charactersMax: number): boolean {
    const length = this.to - this.from;
    if (length < cellsMax && length <= charactersMax) return true;
    const { text, delimiter } = this;
    let [cells, start] = [1, 0];
    for (let end = text.indexOf(delimiter); end !== -1; end = text.indexOf(delimiter, start)) {
      if (end - start > charactersMax) return false;
      start = end + 1;
      cells++;
    }
    return cells <= cellsMax && text.length - start <= charactersMax;
  }
}

/** Returns whether an ASCII character is neither a blank nor a control character, so `trim` keeps it. */
export function isVisible(code: number): boolean {
  return code > 32 && code < 127;
}

import type { Row } from '../format.ts';

/** A record without quotes. The cells are the texts between the delimiters, split on first access. */
export class PlainRow implements Row {
  private cut: readonly string[] | null = null;

  constructor(
    readonly line: number,
    readonly text: string,
    readonly delimiter: string,
  ) {}

  get cells(): readonly string[] {
    this.cut ??= this.text.split(this.delimiter);
    return this.cut;
  }

  /** Whether the first cell begins with a visible character, as most do. */
  get beginsWithWord(): boolean {
    return isVisible(this.text.charCodeAt(0)) && !this.text.startsWith(this.delimiter);
  }

  /** Returns whether the number of cells and the length of each are within the limits. */
  fits(cellsMax: number, charactersMax: number): boolean {
    const { text, delimiter } = this;
    if (text.length < cellsMax && text.length <= charactersMax) return true;
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

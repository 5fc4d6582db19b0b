import type { Row } from '../format.ts';

/** A record without quotes: its cells are what stands between the delimiters, cut apart when somebody asks for them. */
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

  /** Whether the first cell says something, as nearly every one does. */
  get beginsWithWord(): boolean {
    return isVisible(this.text.charCodeAt(0)) && !this.text.startsWith(this.delimiter);
  }

  /** Whether it has so many cells at most, and none of more characters than that. */
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

/** Of ASCII what is no blank and steers no printer: nothing that `trim` takes away. */
export function isVisible(code: number): boolean {
  return code > 32 && code < 127;
}

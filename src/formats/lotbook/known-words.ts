/** The few words that a column accepts, in any spelling: `Short`, `tokenized security`. */
export class KnownWords<Word extends string> {
  /** Cached spellings, because a file repeats the same few on every row. */
  private readonly found = new Map<string, Word | undefined>();

  constructor(readonly words: readonly Word[]) {}

  find(text: string): Word | undefined {
    const known = this.found.get(text);
    if (known !== undefined || this.found.has(text)) return known;
    const plain = text.toLowerCase().replaceAll(/[\s-]+/g, '_');
    const word = this.words.find((one) => one.toLowerCase() === plain);
    if (this.found.size < textsKeptMax) this.found.set(text, word);
    return word;
  }
}

/** Bounds memory for a file with a million words: a text keeps the file's whole block in memory. */
const textsKeptMax = 100;

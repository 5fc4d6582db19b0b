/**
 * Recognizes the words that a column accepts. Case does not matter, and spaces or hyphens can replace underscores:
 * `Short`, `tokenized security`.
 */
export class KnownWords<Word extends string> {
  /** Caches results by spelling, because a file repeats the same few spellings on every row. */
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

/**
 * Limits memory for a file with a million different words. Each cached text keeps the entire block of the file that it
 * was read from in memory.
 */
const textsKeptMax = 100;

/** The few words of which a column holds one, however they are written: `Short`, `tokenized security`. */
export class KnownWords<Word extends string> {
  /** A file says the same few things on every row: each is looked up once. */
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

/** A file of a million words must not fill the memory: a text holds on to the whole block of the file it stands in. */
const textsKeptMax = 100;

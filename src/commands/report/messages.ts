import type { Refusal } from '../../base/refusal.ts';

/** What is said beside the report: sentences, and on a terminal a line of progress that is wiped when it is over. */
export class Messages {
  private shown = '';

  constructor(private readonly out: Screen = process.stderr) {}

  say(sentence: string): void {
    this.wipe();
    this.out.write(`${sentence}\n`);
  }

  /** Of many sentences the first; the rest in one. */
  sayFirst(sentences: readonly string[], all: number, rest: (more: number) => string): void {
    for (const sentence of sentences) this.say(sentence);
    if (all > sentences.length) this.say(rest(all - sentences.length));
  }

  progress(words: string): void {
    if (this.out.isTTY !== true || words === this.shown) return;
    this.wipe();
    this.out.write(words);
    this.shown = words;
  }

  wipe(): void {
    if (this.shown === '') return;
    this.out.write('\r\u001b[K');
    this.shown = '';
  }
}

export interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** A refusal as the command prints it: what it says, and each of its errors with its place. */
export function refusalText(refusal: Refusal): string {
  const errors = (refusal.more.errors ?? []).map(({ detail, line, column, pointer }) => {
    const where = [line === undefined ? '' : `line ${line}`, column ?? '', pointer ?? '']
      .filter((word) => word !== '')
      .join(', ');
    return `\n  ${where === '' ? '' : `${where}: `}${detail}`;
  });
  return `${refusal.detail}${errors.join('')}`;
}

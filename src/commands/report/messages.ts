import { Refusal } from '../../base/refusal.ts';
import { CommandError } from '../command.ts';

/** Prints messages apart from the report: sentences, and on a terminal a progress line that is cleared at the end. */
export class Messages {
  private shown = '';

  constructor(private readonly out: Screen = process.stderr) {}

  say(sentence: string): void {
    this.wipe();
    this.out.write(`${sentence}\n`);
  }

  /** Prints the first of many sentences, and a summary of the remaining ones. */
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

/** Returns the error to throw for a file: a refusal as a sentence that names the file, or any other error as it is. */
export function namedRefusal(file: string, error: unknown): unknown {
  return error instanceof Refusal ? new CommandError(`${file}: ${refusalText(error)}`) : error;
}

/** Returns a refusal as the command prints it: its detail, and each of its errors with its position. */
function refusalText(refusal: Refusal): string {
  const errors = (refusal.more.errors ?? []).map(({ detail, line, column, pointer }) => {
    const where = [line === undefined ? '' : `line ${line}`, column ?? '', pointer ?? '']
      .filter((word) => word !== '')
      .join(', ');
    return `\n  ${where === '' ? '' : `${where}: `}${detail}`;
  });
  return `${refusal.detail}${errors.join('')}`;
}

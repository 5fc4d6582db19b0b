/** A header that Lotbook does not write. */
export interface ForgedHeader {
  readonly name: string;
  /** The POSIX type: `0` is a file, `1` a hard link, `2` a symbolic link, `5` a folder. */
  readonly type?: string;
  readonly link?: string;
  readonly prefix?: string;
}

/** Yields a tar with one empty entry and a correct checksum. */
export async function* forgedTar(header: ForgedHeader): AsyncGenerator<Uint8Array> {
  yield forgedHeader(header);
  yield new Uint8Array(1_024);
}

function forgedHeader({ name, type = '0', link = '', prefix = '' }: ForgedHeader): Uint8Array {
  const header = new Uint8Array(512);
  const write = (text: string, at: number): void => void new TextEncoder().encodeInto(text, header.subarray(at));
  write(name, 0);
  write(`0000600\0${'0'.repeat(7)}\0${'0'.repeat(7)}\0`, 100);
  write(`${'0'.repeat(11)}\0${'0'.repeat(11)}\0${' '.repeat(8)}${type}`, 124);
  write(link, 157);
  write('ustar\x0000', 257);
  write(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

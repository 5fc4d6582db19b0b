import { constants, inflateSync } from 'node:zlib';
import { Refusal } from '../../base/refusal.ts';
import { csvOfFdx } from '../rows/fdx.ts';
import { damagedPdf, tooMuch } from './container-refusals.ts';

/**
 * Finds FDX tax documents that brokers attach to Forms 1099 (ISO 32000-1, 7.11.4). Objects are found by scanning the
 * file, because the cross-reference table of many files is wrong or compressed. The pages are not read.
 */

export interface PdfAttachment {
  readonly name: string;
  /** The bytes of a JSON document with at least one Form 1099-B or 1099-DA. */
  readonly content: Uint8Array;
}

/** Returns the attached FDX documents, or throws `not_csv` if there are none or the file is encrypted. */
export function listFdxAttachments(bytes: Uint8Array): PdfAttachment[] {
  const { streams, texts } = scan(bytes);
  if (texts.some((text) => /\/Encrypt\s{0,8}(?:<<|\d)/.test(text))) throw encryptedPdf();
  const unpacked = new Unpacked();
  const objects = [...streams.values()];
  for (const stream of objects)
    if (/\/Type\s{0,8}\/ObjStm\b/.test(stream.dictionary)) texts.push(toText(unpacked.read(stream)));
  const names = nameAttachments(texts);
  const attachments: PdfAttachment[] = [];
  for (const stream of objects) {
    if (!names.has(stream.number) && !/\/Type\s{0,8}\/EmbeddedFile\b/.test(stream.dictionary)) continue;
    const content = unpacked.read(stream);
    if (csvOfFdx(new TextDecoder().decode(content)) === undefined) continue;
    const name = names.get(stream.number) ?? 'attachment.json';
    const isTaken = attachments.some((other) => other.name === name);
    attachments.push({ name: isTaken ? `${attachments.length + 1} ${name}` : name, content });
  }
  if (attachments.length === 0) throw pdfWithoutData();
  return attachments;
}

function encryptedPdf(): Refusal {
  return new Refusal(
    'not_csv',
    'This PDF is encrypted, so its attachments cannot be read. Save it without a password, or download the form or your transactions as CSV from your broker.',
  );
}

function pdfWithoutData(): Refusal {
  return new Refusal(
    'not_csv',
    'This PDF has no tax data attached (FDX), and the numbers on its pages are not read. Download the form or your transactions as CSV from your broker.',
  );
}

interface PdfStream {
  readonly number: string;
  readonly dictionary: string;
  readonly packed: Uint8Array;
}

const [streamsMax, dictionaryCharactersMax] = [200_000, 64 * 1024];

/** Returns the streams by object number, the last of each, and the texts between them. */
function scan(bytes: Uint8Array): { readonly streams: Map<string, PdfStream>; readonly texts: string[] } {
  const source = toText(bytes);
  const streams = new Map<string, PdfStream>();
  const texts: string[] = [];
  let from = 0;
  for (let at = source.indexOf('stream'); at !== -1; at = source.indexOf('stream', Math.max(from, at + 6))) {
    const between = source.slice(from, at);
    if (!/>>\s{0,8}$/.test(between.slice(-16))) continue;
    texts.push(between);
    const start = at + (/^stream(?:\r\n|\r|\n)?/.exec(source.slice(at, at + 8))?.[0].length ?? 6);
    const header = between.lastIndexOf(' obj');
    const number = /(\d{1,10})\s{1,4}\d{1,5}$/.exec(between.slice(Math.max(0, header - 24), header))?.[1] ?? '';
    const dictionary = between.slice(header + 4);
    const end = findEnd(source, start, dictionary);
    if (end === -1) throw damagedPdf('a stream has no end, so the file is truncated');
    if (header !== -1 && dictionary.length <= dictionaryCharactersMax)
      streams.set(number, { number, dictionary, packed: bytes.subarray(start, end) });
    if (streams.size > streamsMax) throw tooMuch('The PDF has too many objects.');
    from = end;
  }
  texts.push(source.slice(from));
  return { streams, texts };
}

/** Returns the end of a stream by its length, or else by the word after it. A length may be in another object. */
function findEnd(source: string, start: number, dictionary: string): number {
  const length = /\/Length\s{1,8}(\d{1,10})(?!\d|\s{1,8}\d{1,5}\s{1,8}R)/.exec(dictionary)?.[1];
  const stated = start + Number(length ?? Number.NaN);
  if (/^\s{0,2}endstream/.test(source.slice(stated, stated + 11))) return stated;
  return source.indexOf('endstream', start);
}

/** Returns the names of attached files by the numbers of their streams, from file specifications. */
function nameAttachments(texts: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const text of texts)
    for (const { 0: whole, 1: files = '', index } of text.matchAll(/\/EF\s{0,8}<<([^>]{0,400})>>/g)) {
      const [before, after] = [
        text.slice(Math.max(0, index - 600), index),
        text.slice(index + whole.length, index + 1_000),
      ];
      const name = [...before.matchAll(fileName)].at(-1)?.[1] ?? fileNameAfter.exec(after)?.[1] ?? 'attachment.json';
      for (const [, number = ''] of files.matchAll(/(\d{1,10})\s{1,4}\d{1,5}\s{1,4}R/g)) names.set(number, name);
    }
  return names;
}

const fileName = /\/U?F\s{0,8}\(([^()\\/]{1,200})\)/g;
const fileNameAfter = new RegExp(fileName.source);

const [unpackedBytesMax, ratioMax, ratioMinBytes] = [128 * 1024 ** 2, 400, 1024 ** 2];

/** Unpacks streams, with a limit for all of them. */
class Unpacked {
  private left = unpackedBytesMax;

  read({ dictionary, packed }: PdfStream): Uint8Array {
    const filters = /\/Filter\s{0,8}(\/\w+|\[[^\]]{0,200}\])/.exec(dictionary)?.[1] ?? '';
    const words = filters.match(/\w+/g) ?? [];
    if (words.some((filter) => !/^(?:FlateDecode|Fl)$/.test(filter)) || words.length > 1)
      throw damagedPdf(`an attachment is packed in a way that is not read (${words.join(', ').slice(0, 80)})`);
    const content = words.length === 0 ? packed : this.inflate(packed);
    this.left -= content.length;
    if (this.left < 0) throw tooMuch('The PDF unpacks to far more than its size.');
    return content;
  }

  private inflate(packed: Uint8Array): Uint8Array {
    const maxOutputLength = Math.max(1, Math.min(this.left, Math.max(packed.length * ratioMax, ratioMinBytes)));
    try {
      return inflateSync(packed, { maxOutputLength, finishFlush: constants.Z_FINISH });
    } catch (error) {
      const isTooLong = error instanceof RangeError || (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
      throw isTooLong
        ? tooMuch('The PDF unpacks to far more than its size.')
        : damagedPdf('an attachment cannot be unpacked');
    }
  }
}

/** Returns one character per byte. */
function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

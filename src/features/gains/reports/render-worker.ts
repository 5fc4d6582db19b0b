import { collectGarbage } from '../../../base/garbage.ts';
import { assumedForms } from '../../../forms/assumed-forms.ts';
import type { FormChoices } from '../../../forms/choices.ts';
import { listAnswerable, listWarnings } from '../../../forms/draft.ts';
import { withChoices } from '../../../forms/format-choices.ts';
import { reportFormat } from '../../../forms/index.ts';
import type { TaxNotice } from '../../../forms/notice/comparison.ts';
import { createNoticePacket, createNoticePreview } from '../../../forms/notice/packet.ts';
import { loadCanvas } from '../../../forms/pdf/canvas.ts';
import type { ReportBooks, ReportFormat } from '../../../forms/report.ts';
import { type ErrorWords, toErrorWords } from '../../../http/errors.ts';
import { createLineSource, type ReportStamp, thaw } from './frozen.ts';

/**
 * A request to the Worker that renders reports. Rendering in a Worker keeps large reports from delaying other requests.
 * The Worker sends as many bytes as `credit` allows and then waits, so it does not render data that the client does not
 * read.
 */
export interface RenderJob {
  readonly kind: 'render';
  readonly format: string;
  readonly choices?: FormChoices;
  /** The CP2000 notice that `format` answers or compares. No other format has one. */
  readonly notice?: TaxNotice;
  /** Whether to return only the name, type and warnings of the file. */
  readonly headOnly?: boolean;
  readonly stamp: ReportStamp;
  readonly parts: readonly Uint8Array[];
  /** The number of bytes that may be sent before the first `more`. */
  readonly credit: number;
}

export type ToRenderer = RenderJob | { readonly kind: 'more'; readonly bytes: number };

export type FromRenderer =
  | { readonly kind: 'head'; readonly head: FileHead }
  | { readonly kind: 'piece'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'end' }
  | ErrorWords;

export interface FileHead {
  readonly fileName: string;
  readonly mediaType: string;
  /** The warnings. Set only if just the head was requested. */
  readonly warnings: readonly string[];
  /** The warnings that answers in Lotbook remove. Set only if just the head was requested. */
  readonly answerable: readonly string[];
  /** The accounts whose form is assumed. Set only if just the head was requested. */
  readonly assumedForms: readonly string[];
}

declare const self: Worker;

const pieceBytes = 256_000;

loadCanvas().catch(() => {});

let credit = 0;
let granted: () => void = () => {};

self.onmessage = ({ data }: MessageEvent<ToRenderer>) => {
  if (data.kind === 'more') {
    credit += data.bytes;
    granted();
    return;
  }
  credit = data.credit;
  render(data)
    .catch((error: unknown) => send(toErrorWords(error)))
    // Frees the memory used by this report before the next one.
    .finally(collectGarbage);
};

async function render(job: RenderJob): Promise<void> {
  const format = findFormat(job);
  if (format === undefined) throw new Error(`There is no report format ${job.format}.`);
  const { head, chunks } = await open(format, job);
  send({ kind: 'head', head });
  for await (const piece of splitPieces(chunks)) {
    while (credit <= 0) await new Promise<void>((resolve) => (granted = resolve));
    credit -= piece.length;
    send({ kind: 'piece', bytes: piece });
  }
  send({ kind: 'end' });
}

function findFormat({ format, notice }: RenderJob): ReportFormat | undefined {
  if (notice === undefined) return reportFormat(format);
  return [createNoticePacket(notice), createNoticePreview(notice)].find(({ id }) => id === format);
}

interface OpenedReport {
  readonly head: FileHead;
  readonly chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** Opens a report. Streams its lines if the format supports streaming, and otherwise reads whole lists. */
async function open(
  format: ReportFormat,
  { choices = {}, headOnly = false, stamp, parts }: RenderJob,
): Promise<OpenedReport> {
  if (format.stream !== undefined && !headOnly) {
    const others = format.reads.filter((name) => name !== 'lines');
    const books = withChoices(await thaw(parts, stamp, others), format, choices);
    const chunks = format.stream(books, createLineSource(parts));
    if (chunks !== undefined) return { head: buildFileHead(format, books), chunks };
  }
  const books = withChoices(await thaw(parts, stamp, format.reads), format, choices);
  if (!headOnly) return { head: buildFileHead(format, books), chunks: format.render(books) };
  const assumed = assumedForms(books).map(({ account }) => account);
  const head = {
    ...buildFileHead(format, books),
    warnings: listWarnings(format, books),
    answerable: listAnswerable(books),
    assumedForms: assumed,
  };
  return { head, chunks: [] };
}

function buildFileHead(format: ReportFormat, books: ReportBooks): FileHead {
  const mediaType = format.mediaTypeOf?.(books) ?? format.mediaType;
  return { fileName: format.fileName(books), mediaType, warnings: [], answerable: [], assumedForms: [] };
}

/**
 * Combines the rows that a format writes into pieces. One message per row, or one for the whole file, would be slow.
 */
async function* splitPieces(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let open = new Uint8Array(pieceBytes);
  let length = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + pieceBytes - length);
      open.set(part, length);
      length += part.length;
      at += part.length;
      if (length < pieceBytes) continue;
      yield open;
      open = new Uint8Array(pieceBytes);
      length = 0;
    }
  }
  if (length > 0) yield open.slice(0, length);
}

function send(message: FromRenderer): void {
  self.postMessage(message, message.kind === 'piece' ? [message.bytes.buffer] : []);
}

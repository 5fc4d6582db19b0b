import type { Sql } from '../../../db/connection.ts';
import { recordsAt, type SourceText } from '../../../formats/rows/source-text.ts';
import type { FetchedBytes } from '../blobs/read.ts';
import type { StageScope } from './rows.queries.ts';
import { selectGroups, selectTexts } from './transactions.queries.ts';

/** The original text of a row. */
interface RawSource {
  /** The numbers of the lines that the row comes from, in ascending order. */
  readonly lines: readonly number[];
  /** The text of these lines, separated by line breaks, or null if the file was not stored. */
  readonly raw: string | null;
}

/** The maximum number of lines to show for a transaction. `charactersMax` limits the text. */
const linesMax = 50;
const charactersMax = 10_000;

export async function readRaw(
  sql: Sql,
  bytes: FetchedBytes,
  taxpayerId: string,
  source: { readonly importId: string; readonly line: number },
): Promise<RawSource> {
  const scope = { taxpayerId, importId: source.importId };
  const groups = await selectGroups(sql, scope, source.line);
  const lines = groups.find((group) => group.includes(source.line)) ?? [source.line];
  const shown = lines.slice(0, linesMax);
  const records = new Map<number, string>();
  for (const piece of await piecesAt(sql, bytes, scope, shown))
    for (const [line, text] of recordsAt(piece, shown)) records.set(line, text);
  const texts = shown.flatMap((line) => records.get(line) ?? []);
  return { lines, raw: texts.length === 0 ? null : texts.map(shorten).join('\n') };
}

function shorten(text: string): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}…`;
}

/**
 * Returns the pieces of the file that contain any of the lines, once each. Omits pieces whose bytes are still in the
 * bucket: `withBytes` fetches them and runs the transaction again.
 */
export async function piecesAt(
  sql: Sql,
  bytes: FetchedBytes,
  scope: StageScope,
  lines: readonly number[],
): Promise<SourceText[]> {
  const kept = new Map((await selectTexts(sql, scope, lines)).map((piece) => [piece.firstLine, piece]));
  return [...kept.values()].flatMap((piece) => {
    const content = bytes.find(piece);
    return content === null ? [] : { firstLine: piece.firstLine, delimiter: piece.delimiter, content };
  });
}

import type { Sql } from '../../../db/connection.ts';
import { recordsAt, type SourceText } from '../../../formats/rows/source-text.ts';
import type { FetchedBytes } from '../../blobs/read.ts';
import type { StageScope } from '../rows/queries.ts';
import { selectGroups, selectTexts } from './queries.ts';

/** The original text of a row. */
export interface RawSource {
  /** The lines that it was made from, ascending. */
  readonly lines: readonly number[];
  /** The text of these lines, separated by line breaks; null if the file was not kept. */
  readonly raw: string | null;
}

/** If a transaction was made from more lines than this, only the first ones are shown. Longer records are truncated. */
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
  return { lines, raw: texts.length === 0 ? null : texts.map(shortened).join('\n') };
}

function shortened(text: string): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}…`;
}

/**
 * Returns each piece of the file that contains any of the lines, once. Pieces whose bytes are still in the bucket are
 * left out: `withBytes` fetches them and runs the transaction again.
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

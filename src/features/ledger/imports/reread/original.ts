import { Refusal } from '../../../../base/refusal.ts';
import type { Deps } from '../../../../deps.ts';
import { decompressText } from '../../../../formats/rows/source-text.ts';
import { notFound } from '../../../../http/errors.ts';
import { readBytes } from '../../blobs/read.ts';
import type { StageScope } from '../../transactions/rows/rows.queries.ts';
import { selectTextsAfter } from '../../transactions/texts.queries.ts';
import { type KeptFile, selectKeptFile } from './reread.queries.ts';

/** Reads a few megabytes of text at a time. */
const piecesPerRead = 16;

/** Returns the import whose file is requested. The file must have been read completely and stored. */
export async function readKeptFile(deps: Deps, scope: StageScope): Promise<KeptFile> {
  const file = await deps.database.asTaxpayer(scope.taxpayerId, (sql) => selectKeptFile(sql, scope), {
    readOnly: true,
  });
  if (file === undefined) throw notFound();
  if (file.status === 'running')
    throw new Refusal('conflict', 'This import is still running. Request the file again when it is done.');
  if (file.status === 'failed')
    throw new Refusal('conflict', 'This import failed, so its file was not saved. Select the file again.');
  return file;
}

/**
 * Streams the text of the file as uploaded, in UTF-8. Loads the first piece before returning, so that the request fails
 * if the storage does not respond.
 */
export async function originalText(deps: Deps, scope: StageScope): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  const pieces = readPieces(deps, scope);
  let first: IteratorResult<string> | undefined = await pieces.next();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = first ?? (await pieces.next());
        first = undefined;
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

async function* readPieces(deps: Deps, scope: StageScope): AsyncGenerator<string> {
  let line = 0;
  for (;;) {
    const after = line;
    const pieces = await deps.database.asTaxpayer(
      scope.taxpayerId,
      (sql) => selectTextsAfter(sql, scope, after, piecesPerRead),
      { readOnly: true },
    );
    for (const piece of pieces) yield decompressText({ content: await readBytes(deps, scope.taxpayerId, piece) });
    const last = pieces.at(-1);
    if (last === undefined || pieces.length < piecesPerRead) return;
    line = last.firstLine;
  }
}

import { Refusal } from '../../../base/refusal.ts';
import type { Deps } from '../../../deps.ts';
import { textOf } from '../../../formats/rows/source-text.ts';
import { notFound } from '../../../http/errors.ts';
import { bytesOf } from '../../blobs/read.ts';
import type { StageScope } from '../../transactions/rows/queries.ts';
import { selectTextsAfter } from '../../transactions/texts/queries.ts';
import { type KeptFile, selectKeptFile } from './queries.ts';

/** Some megabytes of text at a time. */
const piecesPerRead = 16;

/** The import whose file is asked for. It has been read whole, and was stored. */
export async function readKeptFile(deps: Deps, scope: StageScope): Promise<KeptFile> {
  const file = await deps.database.asTaxpayer(scope.taxpayerId, (sql) => selectKeptFile(sql, scope), {
    readOnly: true,
  });
  if (file === undefined) throw notFound();
  if (file.status === 'running')
    throw new Refusal('conflict', 'This import is still running. Ask for its file when it is done.');
  if (file.status === 'failed')
    throw new Refusal('conflict', 'This import failed, and nothing of its file is kept. Choose the file again.');
  return file;
}

/**
 * The text of the file as it was uploaded, in UTF-8, piece by piece. The first one is there when it returns: where the
 * store does not answer, the request is refused.
 */
export async function originalText(deps: Deps, scope: StageScope): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  const pieces = piecesOf(deps, scope);
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

async function* piecesOf(deps: Deps, scope: StageScope): AsyncGenerator<string> {
  let line = 0;
  for (;;) {
    const after = line;
    const pieces = await deps.database.asTaxpayer(
      scope.taxpayerId,
      (sql) => selectTextsAfter(sql, scope, after, piecesPerRead),
      { readOnly: true },
    );
    for (const piece of pieces) yield textOf({ content: await bytesOf(deps, scope.taxpayerId, piece) });
    const last = pieces.at(-1);
    if (last === undefined || pieces.length < piecesPerRead) return;
    line = last.firstLine;
  }
}

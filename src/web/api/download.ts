import { request } from './api.ts';

/** A file that was read whole. */
export interface FetchedFile {
  readonly fileName: string;
  readonly blob: Blob;
}

/** Reads a file of the API; `onBytes` is called with the bytes read so far. A file that is made as it is read has no known length. */
export async function fetchFile(
  path: string,
  onBytes: (bytes: number) => void = () => {},
  signal?: AbortSignal,
): Promise<FetchedFile> {
  const response = await request(path, signal === undefined ? {} : { signal });
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const piece = await reader?.read();
    if (piece?.value === undefined) break;
    pieces.push(piece.value);
    length += piece.value.length;
    onBytes(length);
  }
  const { headers } = response;
  const name = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1];
  return {
    fileName: name ?? 'lotbook',
    blob: new Blob(pieces, { type: headers.get('content-type') ?? 'application/octet-stream' }),
  };
}

/** So long the browser may take to begin with a file before its address ends. */
const kept = 60_000;

/** Gives a file to the browser, which stores it as it stores downloads. */
export function saveFile({ fileName, blob }: FetchedFile): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), kept);
}

import { request } from './api.ts';

/** A file that has been read completely. */
export interface FetchedFile {
  readonly fileName: string;
  readonly blob: Blob;
}

/**
 * Downloads a file from the API. Calls `onBytes` with the number of bytes read so far. A streamed file has no known
 * length.
 */
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

/** How long the browser has to start the download before the object URL is revoked. */
const kept = 60_000;

/** Hands a file to the browser, which saves it as a download. */
export function saveFile({ fileName, blob }: FetchedFile): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), kept);
}

import { useRef, useState } from 'preact/hooks';
import { request } from '../../api/api.ts';
import { toProblem } from '../../api/problem.ts';
import { sayProblem } from '../../api/toasts.ts';
import { bytes } from '../../format/amounts.ts';
import { Button } from '../button.tsx';

interface DownloadButtonProps {
  readonly label: string;
  readonly isPrimary?: boolean;
  /** Returns the URL of the file once it is ready. */
  readonly pathOf: () => Promise<string> | string;
  /** The JSON to send, if the file is the answer to a POST. */
  readonly body?: object;
}

/** Downloads a file, shows its progress, and can be stopped. */
export function DownloadButton({ label, isPrimary = false, pathOf, body }: DownloadButtonProps) {
  const [read, setRead] = useState<number | null>(null);
  const [saved, setSaved] = useState<FetchedFile | null>(null);
  const stop = useRef<AbortController | null>(null);
  async function start(): Promise<void> {
    if (stop.current !== null) return;
    stop.current = new AbortController();
    setRead(0);
    setSaved(null);
    try {
      const file = await fetchFile(await pathOf(), setRead, stop.current.signal, body);
      saveFile(file);
      setSaved(file);
    } catch (error) {
      if (toProblem(error).code !== 'aborted') sayProblem(error);
    }
    stop.current = null;
    setRead(null);
  }
  return (
    <span class="download">
      {read === null ? (
        <Button icon="reports" label={label} class={isPrimary ? 'primary' : ''} onClick={() => void start()} />
      ) : (
        // The second click of a double click is not meant for this button.
        <Button icon="close" label="Stop" onClick={({ detail }) => detail < 2 && stop.current?.abort()} />
      )}
      <span class="fine" role="status">
        {read !== null && (read === 0 ? 'Preparing your file…' : `${bytes(read)} so far`)}
        {saved !== null && `Downloaded ${saved.fileName} (${bytes(saved.blob.size)})`}
      </span>
    </span>
  );
}

/** A file that has been read completely. */
interface FetchedFile {
  readonly fileName: string;
  readonly blob: Blob;
}

/**
 * Downloads a file from the API, with a POST if there is a body. Calls `onBytes` with the number of bytes so far,
 * because the length is not known.
 */
export async function fetchFile(
  path: string,
  onBytes: (bytes: number) => void = () => {},
  signal?: AbortSignal,
  body?: object,
): Promise<FetchedFile> {
  const response = await request(path, {
    ...(signal === undefined ? {} : { signal }),
    ...(body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
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
function saveFile({ fileName, blob }: FetchedFile): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), kept);
}

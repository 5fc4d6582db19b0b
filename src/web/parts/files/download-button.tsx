import { useRef, useState } from 'preact/hooks';
import { type FetchedFile, fetchFile, saveFile } from '../../api/download.ts';
import { problemOf } from '../../api/problem.ts';
import { bytes } from '../../format/bytes.ts';
import { Icon } from '../icon.tsx';
import { sayProblem } from '../toasts.tsx';

interface DownloadButtonProps {
  readonly label: string;
  readonly isPrimary?: boolean;
  /** The address of the file, once what it needs is there. */
  readonly pathOf: () => Promise<string> | string;
}

/** Downloads a file, says how much of it is here, and stops on demand. */
export function DownloadButton({ label, isPrimary = false, pathOf }: DownloadButtonProps) {
  const [read, setRead] = useState<number | null>(null);
  const [saved, setSaved] = useState<FetchedFile | null>(null);
  const stop = useRef<AbortController | null>(null);
  async function start(): Promise<void> {
    stop.current = new AbortController();
    setRead(0);
    setSaved(null);
    try {
      const file = await fetchFile(await pathOf(), setRead, stop.current.signal);
      saveFile(file);
      setSaved(file);
    } catch (error) {
      if (problemOf(error).code !== 'aborted') sayProblem(error);
    }
    setRead(null);
  }
  return (
    <span class="download">
      {read === null ? (
        <button type="button" class={isPrimary ? 'primary' : ''} onClick={() => void start()}>
          <Icon name="reports" /> {label}
        </button>
      ) : (
        <button type="button" onClick={() => stop.current?.abort()}>
          <Icon name="close" /> Stop
        </button>
      )}
      <span class="fine" role="status">
        {read !== null && (read === 0 ? 'The file is being made…' : `${bytes(read)} so far`)}
        {saved !== null && `${saved.fileName}, ${bytes(saved.blob.size)}, is among your downloads.`}
      </span>
    </span>
  );
}

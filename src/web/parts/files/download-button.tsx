import { useRef, useState } from 'preact/hooks';
import { type FetchedFile, fetchFile, saveFile } from '../../api/download.ts';
import { toProblem } from '../../api/problem.ts';
import { bytes } from '../../format/bytes.ts';
import { Icon } from '../icon.tsx';
import { sayProblem } from '../toasts.tsx';

interface DownloadButtonProps {
  readonly label: string;
  readonly isPrimary?: boolean;
  /** Returns the URL of the file once it is ready. */
  readonly pathOf: () => Promise<string> | string;
}

/** Downloads a file, shows its progress, and can be stopped. */
export function DownloadButton({ label, isPrimary = false, pathOf }: DownloadButtonProps) {
  const [read, setRead] = useState<number | null>(null);
  const [saved, setSaved] = useState<FetchedFile | null>(null);
  const stop = useRef<AbortController | null>(null);
  async function start(): Promise<void> {
    if (stop.current !== null) return;
    stop.current = new AbortController();
    setRead(0);
    setSaved(null);
    try {
      const file = await fetchFile(await pathOf(), setRead, stop.current.signal);
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
        <button type="button" class={isPrimary ? 'primary' : ''} onClick={() => void start()}>
          <Icon name="reports" /> {label}
        </button>
      ) : (
        // The second click of a double click is not meant for this button.
        <button type="button" onClick={({ detail }) => detail < 2 && stop.current?.abort()}>
          <Icon name="close" /> Stop
        </button>
      )}
      <span class="fine" role="status">
        {read !== null && (read === 0 ? 'Preparing your file…' : `${bytes(read)} so far`)}
        {saved !== null && `Downloaded ${saved.fileName} (${bytes(saved.blob.size)})`}
      </span>
    </span>
  );
}

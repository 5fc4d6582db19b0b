import { useEffect, useState } from 'preact/hooks';
import { fetchFile } from '../../api/download.ts';
import { type Problem, toProblem } from '../../api/problem.ts';
import { bytes } from '../../format/bytes.ts';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';

interface PreviewProps {
  readonly title: string;
  readonly path: string;
}

/** A PDF preview drawn by the browser. A message and a download link replace it if the browser cannot preview PDFs. */
export function Preview({ title, path }: PreviewProps) {
  const [file, setFile] = useState<ShownFile | null>(null);
  const [read, setRead] = useState(0);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const leave = new AbortController();
    let made: string | null = null;
    setFile(null);
    setRead(0);
    setProblem(null);
    fetchFile(path, setRead, leave.signal).then(
      ({ blob, fileName }) => {
        made = URL.createObjectURL(blob);
        setFile({ url: made, fileName });
      },
      (error: unknown) => {
        if (!leave.signal.aborted) setProblem(toProblem(error));
      },
    );
    return () => {
      leave.abort();
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [path, turn]);
  if (problem !== null) return <ProblemNotice problem={problem} onRetry={() => setTurn(turn + 1)} />;
  if (file === null) {
    return (
      <p class="fine" role="status">
        {read === 0 ? 'Preparing your file…' : `${bytes(read)} so far`}
      </p>
    );
  }
  if (!navigator.pdfViewerEnabled) {
    return (
      <div class="preview">
        <p role="status">Your browser can't preview PDFs. Download the file to open it.</p>
        <p class="actions">
          <a class="button primary" href={file.url} download={file.fileName}>
            <Icon name="reports" /> Download {file.fileName}
          </a>
        </p>
      </div>
    );
  }
  return (
    <div class="preview">
      <p class="actions">
        <a class="button" href={file.url} target="_blank" rel="noopener">
          <Icon name="forward" /> Open in a new tab
        </a>
      </p>
      <iframe title={title} src={file.url} />
    </div>
  );
}

interface ShownFile {
  readonly url: string;
  readonly fileName: string;
}

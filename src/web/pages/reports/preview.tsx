import { useEffect, useState } from 'preact/hooks';
import { fetchFile } from '../../api/download.ts';
import { type Problem, problemOf } from '../../api/problem.ts';
import { bytes } from '../../format/bytes.ts';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';

interface PreviewProps {
  readonly title: string;
  readonly path: string;
}

/** A PDF in its place on the page, drawn by the browser. A browser that does not draw PDFs opens it in a tab of its own. */
export function Preview({ title, path }: PreviewProps) {
  const [url, setUrl] = useState<string | null>(null);
  const [read, setRead] = useState(0);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const leave = new AbortController();
    let made: string | null = null;
    setUrl(null);
    setRead(0);
    setProblem(null);
    fetchFile(path, setRead, leave.signal).then(
      ({ blob }) => {
        made = URL.createObjectURL(blob);
        setUrl(made);
      },
      (error: unknown) => {
        if (!leave.signal.aborted) setProblem(problemOf(error));
      },
    );
    return () => {
      leave.abort();
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [path, turn]);
  if (problem !== null) return <ProblemNotice problem={problem} onRetry={() => setTurn(turn + 1)} />;
  if (url === null) {
    return (
      <p class="fine" role="status">
        {read === 0 ? 'The file is being made…' : `${bytes(read)} so far`}
      </p>
    );
  }
  return (
    <div class="preview">
      <p class="actions">
        <a class="button" href={url} target="_blank" rel="noopener">
          <Icon name="forward" /> Open in a new tab
        </a>
        {!navigator.pdfViewerEnabled && <span class="fine">This browser shows no PDF inside a page.</span>}
      </p>
      {navigator.pdfViewerEnabled && <iframe title={title} src={url} />}
    </div>
  );
}

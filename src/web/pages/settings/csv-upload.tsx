import { useState } from 'preact/hooks';
import { request } from '../../api/api.ts';
import { booksChanged } from '../../api/changes.ts';
import { formatCount } from '../../format/amounts.ts';
import { Icon } from '../../parts/icon.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { useAction } from '../../parts/use-action.ts';

/** The API's result for an uploaded CSV. */
interface CsvStored {
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  readonly rejects: readonly { readonly line: number; readonly column: string | null; readonly reason: string }[];
}

interface CsvUploadProps {
  readonly label: string;
  /** The columns, shown below the upload. */
  readonly hint: string;
  readonly path: string;
}

/** Uploads a small CSV and shows the stored and rejected rows. */
export function CsvUpload({ label, hint, path }: CsvUploadProps) {
  const [stored, setStored] = useState<CsvStored | null>(null);
  const { act, problem, isBusy } = useAction();
  const send = async (file: File) => {
    const headers = { 'content-type': 'text/csv' };
    const response = await request(path, { method: 'POST', headers, body: file });
    setStored((await response.json()) as CsvStored);
    booksChanged();
  };
  return (
    <div class="csv-upload">
      <OwnBooks>
        <label class="button">
          <Icon name="import" /> {isBusy ? 'Please wait…' : label}
          <input
            class="visually-hidden"
            type="file"
            accept=".csv,text/csv"
            aria-disabled={isBusy}
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? [];
              event.currentTarget.value = '';
              if (file !== undefined) void act(() => send(file));
            }}
          />
        </label>
      </OwnBooks>
      <p class="fine">{hint}</p>
      <div role="status" aria-live="polite">
        {stored !== null && (
          <p>
            {formatCount(stored.added, 'row')} new, {stored.updated} changed, {stored.unchanged} unchanged,{' '}
            {stored.rejected} not understood.
          </p>
        )}
      </div>
      {stored !== null && stored.rejects.length > 0 && (
        <ul>
          {stored.rejects.map(({ line, column, reason }) => (
            <li key={`${line} ${column}`}>
              Line {line}
              {column !== null && `, ${column}`}: {reason}
            </li>
          ))}
        </ul>
      )}
      {problem !== null && <ProblemNotice problem={problem} />}
    </div>
  );
}

import { to } from '../../api/acting.ts';
import type { ImportedFile } from '../../api/upload-request.ts';
import { type FileUpload, removeUpload, sendAgain, stopUpload, undoUpload } from '../../api/uploads.ts';
import { count, counted } from '../../format/amounts.ts';
import { bytes } from '../../format/bytes.ts';
import { Icon } from '../../parts/icon.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';
import { ImportCounts, ImportNotes, ImportYears, useFormatName } from './import-facts.tsx';
import { asksOwner, StoppedUpload } from './stopped-upload.tsx';
import { TriedFile } from './tried-file.tsx';

/** A file of this visit: how far it is, what became of it, and its undo. */
export function UploadCard({ upload }: { readonly upload: FileUpload }) {
  const { file, step } = upload;
  const isAsked = step.name === 'stopped' && asksOwner(step.problem);
  const headingId = `upload-${upload.id}`;
  return (
    <article class={`card upload ${isAsked ? 'tried' : step.name}`} aria-labelledby={headingId}>
      <header>
        <div>
          <h2 id={headingId}>{file.name}</h2>
          <p class="fine">
            {bytes(file.size)}
            {upload.options.account !== undefined && `, account ${upload.options.account}`}
          </p>
        </div>
        <p class="state" role="status">
          {step.name === 'done' && <Icon name="check" />}
          {step.name === 'stopped' && <Icon name="warning" />}
          {stateOf(upload)}
        </p>
      </header>
      <UploadBody upload={upload} />
    </article>
  );
}

function stateOf({ step }: FileUpload): string {
  switch (step.name) {
    case 'waiting':
      return 'Waits for its turn';
    case 'sending':
      return step.share < 1 ? 'On its way' : 'Its rows are read';
    case 'storing':
      return step.progress.isLost ? 'The connection is lost; it comes back by itself' : 'Its rows are stored';
    case 'tried':
      return 'Nothing is stored yet';
    case 'done':
      return 'Imported';
    case 'undone':
      return 'Undone: its rows are gone';
    default:
      if (step.problem.code === 'aborted') return 'Stopped';
      return asksOwner(step.problem) ? 'Needs an answer' : 'Not imported';
  }
}

function UploadBody({ upload }: { readonly upload: FileUpload }) {
  const { id, file, step } = upload;
  switch (step.name) {
    case 'waiting':
    case 'sending':
    case 'storing':
      return <UploadProgress upload={upload} />;
    case 'tried':
      return <TriedFile upload={upload} result={step.result} />;
    case 'done':
      return <DoneUpload id={id} name={file.name} result={step.result} />;
    case 'undone':
      return (
        <p class="actions">
          <button type="button" onClick={() => sendAgain(id)}>
            Import it again
          </button>
          <button type="button" class="plain" onClick={() => removeUpload(id)}>
            Close
          </button>
        </p>
      );
    default:
      return <StoppedUpload upload={upload} problem={step.problem} tried={step.tried} />;
  }
}

function UploadProgress({ upload: { id, file, step } }: { readonly upload: FileUpload }) {
  const books = step.name === 'storing' ? step.progress.books : null;
  const rows = step.name === 'storing' ? step.progress.rows : 0;
  const canStop = step.name !== 'storing';
  // Sending and storing are shown as one way, half each.
  const sent = step.name === 'sending' ? step.share * 500 : step.name === 'storing' ? 500 : 0;
  const stored = books === null || books.of === 0 ? 0 : (books.done / books.of) * 500;
  return (
    <>
      <progress max={1000} value={sent + stored} aria-label={`Progress of ${file.name}`} />
      <div class="actions spread">
        <p class="fine">
          {step.name === 'sending' && `${bytes(file.size * step.share)} of ${bytes(file.size)} sent`}
          {step.name === 'storing' && rows > 0 && `${counted(rows, 'row')} read`}
          {books !== null && `, ${count(books.done)} of ${counted(books.of, 'book')} up to date`}
        </p>
        {canStop && (
          <button type="button" class="plain" onClick={() => stopUpload(id)}>
            Stop
          </button>
        )}
      </div>
    </>
  );
}

interface DoneUploadProps {
  readonly id: number;
  readonly name: string;
  readonly result: ImportedFile;
}

function DoneUpload({ id, name, result }: DoneUploadProps) {
  const source = useFormatName(result.format);
  const undo = async () => {
    await undoUpload(id);
    say(`${name} is undone.`, async () => sendAgain(id));
  };
  return (
    <>
      <p>
        Read as <strong>{source}</strong>
        {result.firstDate !== null && <ImportYears years={result.years} />}
      </p>
      <ImportCounts result={result} />
      <ImportNotes result={result} />
      <p class="actions">
        <button type="button" onClick={() => undo().catch(sayProblem)}>
          <Icon name="undo" /> Undo
        </button>
        <a class="button" href={to(`/import/${result.id}`)}>
          What changed
        </a>
        <button type="button" class="plain" onClick={() => removeUpload(id)}>
          Close
        </button>
      </p>
    </>
  );
}

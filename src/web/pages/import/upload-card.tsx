import { useEffect, useRef, useState } from 'preact/hooks';
import { estimateSending, paceText } from '../../api/import-pace.ts';
import { to } from '../../api/page-url.ts';
import type { ImportedFile } from '../../api/upload-request.ts';
import { addAgain, type FileUpload, removeUpload, stopUpload } from '../../api/uploads.ts';
import { formatCount } from '../../format/amounts.ts';
import { bytes } from '../../format/bytes.ts';
import { now } from '../../format/now.ts';
import { Icon } from '../../parts/icon.tsx';
import { needsDecision } from '../../parts/uploads/upload-strip.tsx';
import { FilePreview } from './file-preview.tsx';
import { ImportCounts, ImportedTransactions, ImportNotes, ImportYears, useFormatName } from './import-facts.tsx';
import { asksOwner, StoppedUpload } from './stopped-upload.tsx';
import { StoringLine } from './storing-line.tsx';
import { RestoreImport, UndoImport } from './undo-import.tsx';

/** A file of several that were dropped together, on one line that opens. */
export function UploadLine({ upload }: { readonly upload: FileUpload }) {
  const { file, step } = upload;
  const [isOpen, setOpen] = useState(false);
  const isAsked = needsDecision(upload);
  useEffect(() => setOpen(isAsked), [isAsked]);
  const headingId = `upload-${upload.id}`;
  return (
    <article class={`upload line ${step.name}`} aria-labelledby={headingId}>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <h3 id={headingId}>{file.name}</h3>{' '}
          <span class="fine">
            {step.name === 'done' && `${formatCount(step.result.transactions, 'transaction')}, `}
            <span role="status">{describeStep(upload)}</span>
          </span>
        </summary>
        <UploadBody upload={upload} />
      </details>
    </article>
  );
}

/** A file uploaded in this session: its progress, result and undo. */
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
            {bytes(upload.size)}
            {upload.options.account !== undefined && `, account ${upload.options.account}`}
          </p>
        </div>
        <p class="state" role="status">
          {step.name === 'done' && <Icon name="check" />}
          {(step.name === 'stopped' || step.name === 'unsent') && <Icon name="warning" />}
          {describeStep(upload)}
        </p>
      </header>
      <UploadBody upload={upload} />
    </article>
  );
}

function describeStep({ step }: FileUpload): string {
  switch (step.name) {
    case 'waiting':
      return 'Waiting';
    case 'sending':
      return step.share < 1 ? 'Uploading' : 'Reading';
    case 'storing':
      return step.progress.isLost ? "You're offline. We'll reconnect automatically." : 'Saving';
    case 'tried':
      return 'Preview: nothing saved yet';
    case 'unsent':
      return 'Not imported';
    case 'done':
      return 'Imported';
    case 'undone':
      return 'Import undone';
    default:
      if (step.problem.code === 'aborted') return 'Stopped';
      return asksOwner(step.problem) ? 'Needs your input' : 'Not imported';
  }
}

function UploadBody({ upload }: { readonly upload: FileUpload }) {
  const { id, file, step } = upload;
  switch (step.name) {
    case 'waiting':
    case 'sending':
    case 'storing':
      return <UploadProgress upload={upload} />;
    case 'unsent':
      return <ChooseAgain upload={upload} />;
    case 'tried':
      return <FilePreview upload={upload} result={step.result} />;
    case 'done':
      return <DoneUpload id={id} name={file.name} result={step.result} />;
    case 'undone':
      return (
        <p class="actions">
          {upload.importId !== null && <RestoreImport id={upload.importId} name={file.name} />}
          <button type="button" class="plain" onClick={() => removeUpload(id)}>
            Dismiss
          </button>
        </p>
      );
    default:
      return <StoppedUpload upload={upload} problem={step.problem} />;
  }
}

/** Asks for the file of an upload that a reload interrupted, if the browser could not keep the file. */
function ChooseAgain({ upload }: { readonly upload: FileUpload }) {
  const input = useRef<HTMLInputElement>(null);
  const { name } = upload.file;
  return (
    <>
      <p>The upload was interrupted. Select the file again; nothing will be imported twice.</p>
      <p class="actions">
        <button type="button" class="primary" onClick={() => input.current?.click()}>
          Select {name} again
        </button>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={`${name}, to upload again`}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file !== undefined) addAgain(upload, file);
          }}
        />
        <button type="button" class="plain" onClick={() => removeUpload(upload.id)}>
          Dismiss
        </button>
      </p>
    </>
  );
}

function UploadProgress({ upload: { id, file, step } }: { readonly upload: FileUpload }) {
  if (step.name === 'storing') return <StoringLine name={file.name} progress={step.progress} />;
  // Sending and storing share one progress bar, half each.
  const share = step.name === 'sending' ? step.share : 0;
  const sent = `${bytes(file.size * share)} of ${bytes(file.size)} sent`;
  return (
    <>
      <progress max={1000} value={share * 500} aria-label={`Progress of ${file.name}`} />
      <div class="actions spread">
        <p class="fine">
          {step.name === 'sending' &&
            (share > 0 && share < 1
              ? `${paceText(share / 2, estimateSending(file.size, share, (now() - step.startedAt) / 1_000))} · ${sent}`
              : sent)}
        </p>
        <button type="button" class="plain" onClick={() => stopUpload(id)}>
          Stop
        </button>
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
  return (
    <>
      <p>
        Read as <strong>{source}</strong>: <ImportedTransactions result={result} />
        {result.firstDate !== null && <ImportYears years={result.years} />}
      </p>
      <ImportCounts result={result} />
      <ImportNotes result={result} />
      <p class="actions">
        <UndoImport id={result.id} name={name} />
        <a class="button" href={to(`/import/${result.id}`)}>
          View changes
        </a>
        <button type="button" class="plain" onClick={() => removeUpload(id)}>
          Dismiss
        </button>
      </p>
    </>
  );
}

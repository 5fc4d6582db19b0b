import { useEffect, useRef, useState } from 'preact/hooks';
import type { StoringProgress } from '../../api/import-events.ts';
import { estimateSending, estimateStoring, paceText } from '../../api/import-pace.ts';
import { to } from '../../api/page-url.ts';
import type { Problem } from '../../api/problem.ts';
import { useFormats } from '../../api/status.ts';
import type { ImportedFile } from '../../api/upload-request.ts';
import { addAgain, type FileUpload, removeUpload, sendAgain, stopUpload, uploadName } from '../../api/uploads.ts';
import { bytes, count, formatCount } from '../../format/amounts.ts';
import { now } from '../../format/dates.ts';
import { Button, Icon, LinkButton } from '../../parts/button.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { ProblemNotice } from '../../parts/page.tsx';
import { needsDecision } from '../../parts/uploads/upload-strip.tsx';
import { ImportCounts, ImportedTransactions, ImportNotes, ImportYears, useFormatName } from './import-facts.tsx';
import { PreviewView } from './preview-view.tsx';
import { type FileQuestion, ReadingChoice, toFileQuestion, useReadings } from './reading-choice.tsx';
import { RestoreImport, UndoImport } from './undo-import.tsx';
import { findFirstRows, findProposal } from './wizard/mapping-answers.ts';
import { MappingWizard } from './wizard/mapping-wizard.tsx';

/** A file of several that were dropped together, on one line that opens. */
export function UploadLine({ upload }: { readonly upload: FileUpload }) {
  const { step } = upload;
  const [isOpen, setOpen] = useState(false);
  const isAsked = needsDecision(upload);
  useEffect(() => setOpen(isAsked), [isAsked]);
  const headingId = `upload-${upload.id}`;
  return (
    <article class={`upload line ${step.name}`} aria-labelledby={headingId}>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <h3 id={headingId}>{uploadName(upload)}</h3>{' '}
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
  const { step } = upload;
  const isAsked = step.name === 'stopped' && asksOwner(step.problem);
  const headingId = `upload-${upload.id}`;
  return (
    <article class={`card upload ${isAsked ? 'tried' : step.name}`} aria-labelledby={headingId}>
      <header>
        <div>
          <h2 id={headingId}>{uploadName(upload)}</h2>
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
  const { id, step } = upload;
  const name = uploadName(upload);
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
      return <DoneUpload id={id} name={name} result={step.result} />;
    case 'undone':
      return (
        <p class="actions">
          {upload.importId !== null && <RestoreImport id={upload.importId} name={name} />}
          <Button label="Dismiss" class="plain" onClick={() => removeUpload(id)} />
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
        <Button label={`Select ${name} again`} class="primary" onClick={() => input.current?.click()} />
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
        <Button label="Dismiss" class="plain" onClick={() => removeUpload(upload.id)} />
      </p>
    </>
  );
}

function UploadProgress({ upload }: { readonly upload: FileUpload }) {
  const { id, file, step } = upload;
  const name = uploadName(upload);
  if (step.name === 'storing') return <StoringLine name={name} progress={step.progress} />;
  // Sending and storing share one progress bar, half each.
  const share = step.name === 'sending' ? step.share : 0;
  const sent = `${bytes(file.size * share)} of ${bytes(file.size)} sent`;
  return (
    <>
      <progress max={1000} value={share * 500} aria-label={`Progress of ${name}`} />
      <div class="actions spread">
        <p class="fine">
          {step.name === 'sending' &&
            (share > 0 && share < 1
              ? `${paceText(share / 2, estimateSending(file.size, share, (now() - step.startedAt) / 1_000))} · ${sent}`
              : sent)}
        </p>
        <Button label="Stop" class="plain" onClick={() => stopUpload(id)} />
      </div>
    </>
  );
}

function DoneUpload({ id, name, result }: Readonly<{ id: number; name: string; result: ImportedFile }>) {
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
        <LinkButton label="View changes" href={to(`/import/${result.id}`)} />
        <Button label="Dismiss" class="plain" onClick={() => removeUpload(id)} />
      </p>
    </>
  );
}

/** The preview of a file before it is imported. */
function FilePreview({ upload: { id, options }, result }: Readonly<{ upload: FileUpload; result: ImportedFile }>) {
  const source = useFormatName(result.format);
  const [account, setAccount] = useState(options.account ?? '');
  const accountName = account.trim();
  const { account: _before, ...others } = options;
  const chosen = accountName === '' ? others : { ...others, account: accountName };
  const planLimit = result.preview?.planLimit ?? null;
  const isPreview = accountName !== (options.account ?? '') || planLimit !== null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        sendAgain(id, chosen, isPreview);
      }}
    >
      {planLimit !== null && (
        <div class="notice">
          <Icon name="warning" />
          <p>
            <strong>Preview only.</strong> {planLimit}
          </p>
        </div>
      )}
      <p>
        Read as <strong>{source}</strong>: <ImportedTransactions result={result} />
      </p>
      <ImportCounts result={result} />
      <PreviewView result={result} />
      <div class="fields">
        <Field
          label="Account for rows without one"
          value={account}
          onInput={setAccount}
          hint="Defaults to the broker's name."
        />
      </div>
      <p class="actions">
        {planLimit !== null && <LinkButton label="See plans" isPrimary href={to('/account/plan')} />}
        <button type="submit" class={planLimit === null ? 'primary' : ''}>
          {isPreview ? 'Preview again' : 'Import'}
        </button>
        <button type="button" class="plain" onClick={() => removeUpload(id)}>
          {planLimit === null ? "Don't import" : 'Dismiss'}
        </button>
      </p>
    </form>
  );
}

/** Describes the progress of storing a file. */
function storingText({ rows, books }: StoringProgress): string {
  const read = rows > 0 ? [`${formatCount(rows, 'row')} read`] : [];
  const done = books === null ? [] : [`calculating ${count(books.done)} of ${formatCount(books.of, 'asset')}`];
  return [...read, ...done].join(' · ');
}

/** The progress of a file that the server has completely received. */
function StoringLine({ name, progress }: { readonly name: string; readonly progress: StoringProgress }) {
  const [at, setAt] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setAt(now()), 500);
    return () => clearInterval(timer);
  }, []);
  const { share, secondsLeft } = estimateStoring(progress.rows, (at - progress.startedAt) / 1_000);
  // Sending takes the first half of the bar, and storing the second.
  const whole = 0.5 + share / 2;
  return (
    <>
      <progress max={1000} value={whole * 1000} aria-label={`Progress of ${name}`} />
      <p class="fine">
        {[paceText(whole, secondsLeft), storingText(progress)].filter((text) => text !== '').join(' · ')}
      </p>
    </>
  );
}

interface StoppedUploadProps {
  readonly upload: FileUpload;
  readonly problem: Problem;
}

/** Why a file was not imported, and what to do next. */
function StoppedUpload({ upload, problem }: StoppedUploadProps) {
  if (problem.code === 'plan_limit') return <PlanLimitReached upload={upload} problem={problem} />;
  const proposal = findProposal(problem);
  if (proposal !== null)
    return <MappingWizard upload={upload} proposal={proposal} firstRows={findFirstRows(problem)} />;
  const question = toFileQuestion(problem);
  if (question !== null) return <FileQuestionForm upload={upload} question={question} />;
  return (
    <>
      {problem.code !== 'aborted' && <ProblemNotice problem={problem} />}
      {problem.code === 'unknown_format' && <FormatChoice upload={upload} />}
      <p class="actions">
        <Button label="Try again" onClick={() => sendAgain(upload.id)} />
        <Button label="Dismiss" class="plain" onClick={() => removeUpload(upload.id)} />
      </p>
    </>
  );
}

/** Whether the file only needs an answer from the user. */
function asksOwner(problem: Problem): boolean {
  return findProposal(problem) !== null || toFileQuestion(problem) !== null;
}

/** Asks for the source of a file in which no table was found. */
function FormatChoice({ upload: { id, options } }: Pick<StoppedUploadProps, 'upload'>) {
  const formats = useFormats().data?.data ?? [];
  return (
    <div class="fields">
      <Choice
        label="File type"
        value=""
        options={[
          { value: '', label: 'Choose a source…' },
          ...formats.map((one) => ({ value: one.id, label: one.name })),
        ]}
        onChange={(format) => sendAgain(id, { ...options, format })}
        hint="Know where it's from? Pick it. Otherwise, make sure the first row has column names."
      />
    </div>
  );
}

/** Shown if the file exceeds a limit of the plan, until its preview is here. */
function PlanLimitReached({ upload: { id }, problem }: StoppedUploadProps) {
  return (
    <>
      <ProblemNotice problem={problem} />
      <p class="actions">
        <LinkButton label="See plans" isPrimary href={to('/account/plan')} />
        <Button label="Preview" onClick={() => sendAgain(id, undefined, true)} />
        <Button label="Dismiss" class="plain" onClick={() => removeUpload(id)} />
      </p>
    </>
  );
}

/** Asks a question that only the owner of a file can answer, with a preview of each choice. */
function FileQuestionForm({ upload, question }: { readonly upload: FileUpload; readonly question: FileQuestion }) {
  const [chosen, setChosen] = useState<string>();
  const results = useReadings(upload, question);
  const result = chosen === undefined ? undefined : results.get(chosen);
  return (
    <Form
      fields={{}}
      verb="Import"
      isReady={() => chosen !== undefined}
      onSubmit={async () => sendAgain(upload.id, { ...upload.options, [question.parameter]: chosen ?? '' })}
      actions={<Button label="Don't import" class="plain" onClick={() => removeUpload(upload.id)} />}
    >
      <ReadingChoice question={question} value={chosen} onChange={setChosen} results={results} />
      {result !== undefined && (
        <div class="answer" role="status">
          <ImportCounts result={result} />
          <PreviewView result={result} />
        </div>
      )}
    </Form>
  );
}

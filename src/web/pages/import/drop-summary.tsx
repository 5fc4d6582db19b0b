import { to } from '../../api/page-url.ts';
import type { ImportedFile } from '../../api/upload-request.ts';
import { type FileUpload, isRunning, removeUpload } from '../../api/uploads.ts';
import { formatCount } from '../../format/amounts.ts';
import { needsDecision } from '../../parts/uploads/upload-strip.tsx';
import { AccountNames } from './account-names.tsx';
import { UploadLine } from './upload-card.tsx';

/** Several files that were dropped together: one result, and each file on a line. */
export function DropSummary({ uploads }: { readonly uploads: readonly FileUpload[] }) {
  const results = uploads.flatMap(({ step }) => (step.name === 'done' ? [step.result] : []));
  const sum = (pick: (result: ImportedFile) => number) => results.reduce((total, one) => total + pick(one), 0);
  const rejected = sum((result) => result.rejected);
  const dismiss = () => {
    for (const { id } of uploads) removeUpload(id);
  };
  const headingId = `drop-${uploads[0]?.drop}`;
  return (
    <article class="card upload several" aria-labelledby={headingId}>
      <header>
        <h2 id={headingId}>{formatCount(uploads.length, 'file')}</h2>
        <p class="state">{describeDrop(uploads)}</p>
      </header>
      {results.length > 0 && (
        <p>
          <strong>
            {formatCount(
              sum((result) => result.transactions),
              'transaction',
            )}
          </strong>
          {`, ${formatCount(
            sum((result) => result.duplicates),
            'duplicate',
          )}, ${formatCount(
            sum((result) => result.skipped),
            'row',
          )} not taxable`}
          {rejected > 0 && (
            <>
              , <a href={to('/import/rejected')}>{formatCount(rejected, 'row')}</a> we couldn't read
            </>
          )}
        </p>
      )}
      <AccountNames uploads={uploads} />
      <div class="upload-lines">
        {uploads.map((upload) => (
          <UploadLine key={upload.id} upload={upload} />
        ))}
      </div>
      {uploads.every(({ step }) => step.name === 'done' || step.name === 'undone') && (
        <p class="actions">
          <button type="button" onClick={dismiss}>
            Dismiss
          </button>
        </p>
      )}
    </article>
  );
}

function describeDrop(uploads: readonly FileUpload[]): string {
  const going = uploads.filter((upload) => isRunning(upload) || upload.step.name === 'waiting').length;
  const done = uploads.filter(({ step }) => step.name === 'done').length;
  const open = uploads.filter(needsDecision).length;
  return [
    ...(going > 0 ? [`importing ${going}`] : []),
    ...(done > 0 ? [`${done} imported`] : []),
    ...(open > 0 ? [`${open} to review`] : []),
  ].join(', ');
}

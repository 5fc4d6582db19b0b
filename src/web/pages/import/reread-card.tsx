import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, unwrapResponse } from '../../api/api.ts';
import { booksChanged } from '../../api/changes.ts';
import { to } from '../../api/page-url.ts';
import { count } from '../../format/amounts.ts';
import { DownloadButton } from '../../parts/files/download-button.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { say } from '../../parts/toasts.tsx';
import { useAction } from '../../parts/use-action.ts';
import { YearsPreview } from '../../parts/years-preview.tsx';
import { ComparedRows } from './import-changes.tsx';

type Rereading = Awaited<ReturnType<typeof readAgain>>;

function readAgain(id: string, apply: boolean) {
  return unwrapResponse(api.imports({ id }).reread.post({ apply }));
}

/** The original file, and the changes if the latest version imported it again. */
export function RereadCard({ id, isReadOnly }: { readonly id: string; readonly isReadOnly: boolean }) {
  const { route } = useLocation();
  const [found, setFound] = useState<Rereading | null>(null);
  const { act, problem, isBusy } = useAction();
  const apply = async () => {
    const { import: applied } = await readAgain(id, true);
    route(to(`/import/${applied.id}`), true);
    // Loads the new import first so that the old import's page no longer requests it.
    await unwrapResponse(api.imports({ id: applied.id }).get());
    booksChanged();
    say('The new version has been applied.');
  };
  return (
    <section class="card">
      <h2>Original file</h2>
      <p class="fine">
        We keep the file exactly as you uploaded it. Each Lotbook version can read more. Re-import it to see what would
        change before you decide.
      </p>
      {problem !== null && <ProblemNotice problem={problem} />}
      {found !== null && <RereadDifference found={found} />}
      <p class="actions">
        <DownloadButton label="Original file" pathOf={() => `/v1/imports/${id}/file`} />
        {!isReadOnly && found === null && (
          <button
            type="button"
            aria-disabled={isBusy}
            onClick={() => void act(async () => setFound(await readAgain(id, false)))}
          >
            {isBusy ? 'Reading…' : 'Re-import with the latest version'}
          </button>
        )}
        {found !== null && differs(found) && (
          <button type="button" class="primary" aria-disabled={isBusy} onClick={() => void act(apply)}>
            Apply
          </button>
        )}
        {found !== null && (
          <button type="button" onClick={() => setFound(null)}>
            Cancel
          </button>
        )}
      </p>
    </section>
  );
}

function differs({ changes: { added, changed, gone }, years }: Rereading): boolean {
  return added.length + changed.length + gone.length + years.length > 0;
}

function RereadDifference({ found }: { readonly found: Rereading }) {
  const { added, changed, gone, truncated } = found.changes;
  if (!differs(found)) return <p role="status">No changes.</p>;
  return (
    <div role="status">
      <YearsPreview years={found.years} />
      <ComparedRows
        title={`New rows: ${count(added.length)}`}
        explanation="Rows that you deleted are listed too. They would come back."
        rows={added.map((row) => ({ row, isNew: true }))}
      />
      <ComparedRows
        title={`Read differently: ${count(changed.length)}`}
        rows={changed.flatMap(({ before, after, members }) => [
          { row: before, note: 'before' },
          { row: after, isNew: true, note: members.length === 0 ? 'after' : `after: different ${members.join(', ')}` },
        ])}
      />
      <ComparedRows
        title={`No longer read: ${count(gone.length)}`}
        explanation="They will be removed, unless another file contains them too."
        rows={gone.map((row) => ({ row }))}
      />
      {truncated && <p class="fine">There are more than shown.</p>}
    </div>
  );
}

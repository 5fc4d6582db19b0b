import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { to } from '../../api/acting.ts';
import { api, got } from '../../api/api.ts';
import { booksChanged } from '../../api/changes.ts';
import { count } from '../../format/amounts.ts';
import { DownloadButton } from '../../parts/files/download-button.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { say } from '../../parts/toasts.tsx';
import { useAct } from '../../parts/use-act.ts';
import { YearsPreview } from '../../parts/years-preview.tsx';
import { ComparedRows } from './import-changes.tsx';

type Rereading = Awaited<ReturnType<typeof readAgain>>;

function readAgain(id: string, apply: boolean) {
  return got(api.imports({ id }).reread.post({ apply }));
}

/** The file as it was sent, and what it would say if it were read today. */
export function RereadCard({ id, isReadOnly }: { readonly id: string; readonly isReadOnly: boolean }) {
  const { route } = useLocation();
  const [found, setFound] = useState<Rereading | null>(null);
  const { act, problem, isBusy } = useAct();
  const apply = async () => {
    const { import: applied } = await readAgain(id, true);
    route(to(`/import/${applied.id}`), true);
    // Meanwhile the page of the import that is gone stops reading it.
    await got(api.imports({ id: applied.id }).get());
    booksChanged();
    say('The new reading counts now.');
  };
  return (
    <section class="card">
      <h2>The file itself</h2>
      <p class="fine">
        It is kept as you sent it. Lotbook learns to read more of a source with each version: have it read again, see
        what would differ, and decide.
      </p>
      {problem !== null && <ProblemNotice problem={problem} />}
      {found !== null && <RereadDifference found={found} />}
      <p class="actions">
        <DownloadButton label="Download the original" pathOf={() => `/v1/imports/${id}/file`} />
        {!isReadOnly && found === null && (
          <button
            type="button"
            disabled={isBusy}
            onClick={() => void act(async () => setFound(await readAgain(id, false)))}
          >
            {isBusy ? 'It is read…' : 'Read it again'}
          </button>
        )}
        {found !== null && differs(found) && (
          <button type="button" class="primary" disabled={isBusy} onClick={() => void act(apply)}>
            Use the new reading
          </button>
        )}
        {found !== null && (
          <button type="button" onClick={() => setFound(null)}>
            Leave it as it is
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
  if (!differs(found)) return <p role="status">It reads as it did: nothing would change.</p>;
  return (
    <div role="status">
      <YearsPreview years={found.years} />
      <ComparedRows
        title={`Read now and not before: ${count(added.length)}`}
        explanation="Rows that you deleted stand here, too: they would come back."
        rows={added.map((row) => ({ row, isNew: true }))}
      />
      <ComparedRows
        title={`Read otherwise: ${count(changed.length)}`}
        rows={changed.flatMap(({ before, after, members }) => [
          { row: before, note: 'before' },
          { row: after, isNew: true, note: members.length === 0 ? 'now' : `now, other ${members.join(', ')}` },
        ])}
      />
      <ComparedRows
        title={`Not read any more: ${count(gone.length)}`}
        explanation="They leave the books, unless another file has them too."
        rows={gone.map((row) => ({ row }))}
      />
      {truncated && <p class="fine">There are more than are shown.</p>}
    </div>
  );
}

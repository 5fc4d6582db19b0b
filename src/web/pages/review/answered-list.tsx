import { useList } from '../../api/list.ts';
import { day, withFormats } from '../../format/dates.ts';
import { ListView } from '../../parts/list-view.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';
import { type AnsweredFilter, type AnsweredIssue, readAnswered, reopen } from './issues.ts';
import { kindNames } from './kind-names.ts';

/** Items that were resolved or kept. Each can be reopened. */
export function AnsweredList({ filter }: { readonly filter: AnsweredFilter }) {
  const list = useList(`issues ${JSON.stringify(filter)}`, (cursor) => readAnswered({ ...filter, ...cursor }));
  return (
    <ListView list={list}>
      {({ data }) => (
        <>
          {data.length === 0 && (
            <section class="card">
              <h2>None yet</h2>
              <p>Items you resolve appear here. You can reopen them.</p>
            </section>
          )}
          {data.map((issue) => (
            <AnsweredCard key={issue.id} issue={issue} />
          ))}
        </>
      )}
    </ListView>
  );
}

function AnsweredCard({ issue }: { readonly issue: AnsweredIssue }) {
  const { kind, asset, account, date, detail, status, resolution } = issue;
  const open = async () => say('Reopened.', await reopen(issue));
  return (
    <article class="card">
      <h2>
        {kindNames[kind]}
        {asset !== '' && `: ${asset}`}
      </h2>
      <p class="fine">{[day(date), account].filter(Boolean).join(', ')}</p>
      <p>{withFormats(detail)}</p>
      <div class="actions">
        <span class="fine">
          {status === 'accepted' ? 'Kept' : 'Resolved'}
          {resolution !== null && resolution.note !== '' && `: ${resolution.note}`}
        </span>
        {resolution !== null && (
          <OwnBooks>
            <button type="button" onClick={() => open().catch(sayProblem)}>
              Reopen
            </button>
          </OwnBooks>
        )}
      </div>
    </article>
  );
}

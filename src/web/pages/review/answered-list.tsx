import { useState } from 'preact/hooks';
import { useResource } from '../../api/resource.ts';
import { day, withFormats } from '../../format/dates.ts';
import { OwnBooks } from '../../parts/own-books.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';
import { type AnsweredFilter, type AnsweredIssue, readAnswered, reopen } from './issues.ts';
import { kindNames } from './kind-names.ts';

/** Items that were resolved or kept. Each can be reopened. */
export function AnsweredList({ filter }: { readonly filter: AnsweredFilter }) {
  const [limit, setLimit] = useState(50);
  const issues = useResource(`issues ${JSON.stringify(filter)} ${limit}`, () => readAnswered(filter, limit));
  return (
    <ResourceView reading={issues}>
      {({ data, hasMore }) => (
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
          {hasMore && (
            <button type="button" onClick={() => setLimit(limit + 100)}>
              Show more
            </button>
          )}
        </>
      )}
    </ResourceView>
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

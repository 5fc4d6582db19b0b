import { entryOfIssue } from '../../../features/answers/help/help-links.ts';
import { api, unwrapResponse } from '../../api/api.ts';
import { useReadOnly } from '../../api/books.ts';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { formatCount, quantity } from '../../format/amounts.ts';
import { day, withFormats } from '../../format/dates.ts';
import { typeName } from '../../format/words.ts';
import { Money, Quantity } from '../../parts/amount.tsx';
import { HelpTerm } from '../../parts/help-term.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { DifferenceBody } from '../import/difference-card.tsx';
import { RejectedLineBody } from '../import/rejected-line-card.tsx';
import { readStory } from '../transactions/filter.ts';
import type { ReviewAnswer } from './answers.ts';
import { AnswersList } from './answers-list.tsx';
import type { ReviewIssue, ReviewItem } from './causes.tsx';
import { kindNames } from './kind-names.ts';

interface ItemViewProps {
  readonly item: ReviewItem;
  /** Its first answer is the likeliest on the page. */
  readonly isFirst: boolean;
  /** Answers of the cause, which the item does not repeat. */
  readonly without?: readonly ReviewAnswer[];
}

/** What is unknown about a transaction or a row of a file, where it comes from, and the answers. */
export function ItemView({ item, isFirst, without = [] }: ItemViewProps) {
  const { issues, rejectId } = item;
  const [first] = issues;
  // One answer matches both sides of a transfer.
  const [, ...others] = issues.filter(({ kind }) => kind === 'transfer_unpaired');
  const ids = [...new Set(issues.flatMap(({ transactions }) => transactions))];
  return (
    <>
      {rejectId !== null && <RejectedRow id={rejectId} />}
      {rejectId === null && first !== undefined && ids.length > 0 && <SourceRow issue={first} ids={ids} />}
      {issues.map((issue) => (
        <section key={issue.id} class="issue">
          {issues.length > 1 && !others.includes(issue) && <h3>{kindNames[issue.kind]}</h3>}
          {rejectId === null && (
            <p>
              {withFormats(issue.detail)} <HelpTerm entry={entryOfIssue[issue.kind]}>Learn more</HelpTerm>
            </p>
          )}
          {!others.includes(issue) && (
            <AnswersList
              label={`Answers: ${kindNames[issue.kind]}`}
              answers={issue.answers.filter((answer) => !without.some(({ label }) => label === answer.label))}
              isFirst={isFirst && issue === first && rejectId === null}
            />
          )}
        </section>
      ))}
    </>
  );
}

/** The transaction in question, with the row of its file. */
function SourceRow({
  issue: { transactions, kind },
  ids,
}: {
  readonly issue: ReviewIssue;
  readonly ids: readonly string[];
}) {
  const [id = ''] = transactions;
  const readOnly = useReadOnly();
  const { data } = useResource(`story ${id}`, () => readStory(id));
  const isAboutOne = kind !== 'tax_year_by_zone' && kind !== 'account_type_unknown';
  return (
    <div class="source-row">
      {isAboutOne && data !== undefined && (
        <>
          <p>
            <strong>{typeName(data.type)}</strong> {data.quantity !== null && <Quantity amount={data.quantity} />}{' '}
            {data.asset}
            {data.assetName !== undefined && ` (${data.assetName})`}
            {data.amount !== null && (
              <>
                {' '}
                for{' '}
                {data.currency === 'USD' ? <Money amount={data.amount} /> : `${quantity(data.amount)} ${data.currency}`}
              </>
            )}
            {data.account !== '' && `, ${data.account}`}, {day(data.day)}
          </p>
          {data.source.raw && <pre class="source-text">{data.source.raw}</pre>}
        </>
      )}
      <p class="actions fine">
        <a href={to('/transactions', { ids: ids.slice(0, 50).join(',') })}>{formatCount(ids.length, 'transaction')}</a>
        {isAboutOne && readOnly === null && (
          <a href={to('/transactions', { open: id, edit: 'yes', back: 'questions' })} data-key="e">
            Edit transaction
          </a>
        )}
      </p>
    </div>
  );
}

/** A row that could not be read, with its cells and the ways to add it. */
function RejectedRow({ id }: { readonly id: string }) {
  const line = useResource(`rejected row ${id}`, () => unwrapResponse(api.imports.rejects({ id }).get()));
  return (
    <ResourceView reading={line}>
      {(data) => (data.stated === undefined ? <RejectedLineBody line={data} isItem /> : <DifferenceBody line={data} />)}
    </ResourceView>
  );
}

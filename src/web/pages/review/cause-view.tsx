import { useState } from 'preact/hooks';
import { entryOfIssue } from '../../../features/help/help-links.ts';
import { api, unwrapResponse } from '../../api/api.ts';
import { useReadOnly } from '../../api/books.ts';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { formatCount, quantity } from '../../format/amounts.ts';
import { day, withFormats } from '../../format/dates.ts';
import { typeName } from '../../format/words.ts';
import { Money, Quantity } from '../../parts/amount.tsx';
import { Button } from '../../parts/button.tsx';
import { HelpTerm } from '../../parts/help-term.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { DifferenceBody, RejectedLineBody } from '../import/rejected-line-card.tsx';
import { readStory } from '../transactions/filter.ts';
import type { ReviewAnswer } from './answers.ts';
import { AnswersList } from './answers-list.tsx';
import {
  type CauseDetails,
  formatCause,
  formatCauseSize,
  formatStake,
  kindNames,
  type ReviewIssue,
  type ReviewItem,
  readCause,
} from './causes.tsx';

/** A cause with the answers to all of its items at once, and its items. */
export function CauseView({ id, year }: { readonly id: string; readonly year: number | undefined }) {
  const [limit, setLimit] = useState(20);
  const cause = useResource(`cause ${id} ${year} ${limit}`, () => readCause(id, year, limit));
  return (
    <ResourceView reading={cause}>
      {(data) =>
        data.count === 0 ? null : (
          <>
            <header>
              <h2>{formatCause(data)}</h2>
              <p class="fine">
                {formatCauseSize(data) !== '' && `${formatCauseSize(data)} · `}
                {formatStake(data)}
              </p>
            </header>
            {data.answers.length > 0 && (
              <AnswersList label={`Answers to all ${formatCount(data.count, 'item')}`} answers={data.answers} />
            )}
            {data.items.length === 1 ? (
              data.items.map((item) => <ItemView key={keyOf(item)} item={item} isFirst />)
            ) : (
              <ItemList cause={data} />
            )}
            {data.count > data.items.length && (
              <Button label="Show more" onClick={() => setLimit(Math.min(1_000, limit + 100))} />
            )}
          </>
        )
      }
    </ResourceView>
  );
}

/** The items by date. Each opens with the answers that the cause does not have. */
function ItemList({ cause: { items, answers, kind, reason } }: { readonly cause: CauseDetails }) {
  const [open, setOpen] = useState<string | null>(null);
  const what =
    reason === 'prices' ? 'enter its price' : costKinds.has(kind) ? 'enter its cost' : 'answer only that one';
  return (
    <>
      {answers.length > 0 && <p class="fine">Open an item to {what}.</p>}
      <ul class="cause-items" aria-label="Items">
        {items.map((item) => {
          const key = keyOf(item);
          return (
            <li key={key}>
              <button
                type="button"
                class="plain"
                aria-expanded={open === key}
                onClick={() => setOpen(open === key ? null : key)}
              >
                <span>{formatItem(item)}</span>
                {item.dollars !== null && <Money amount={item.dollars} />}
              </button>
              {open === key && <ItemView item={item} isFirst={answers.length === 0} without={answers} />}
            </li>
          );
        })}
      </ul>
    </>
  );
}

const costKinds: ReadonlySet<CauseDetails['kind']> = new Set(['oversold', 'basis_missing']);

const keyOf = ({ issues }: ReviewItem): string => issues[0]?.id ?? '';

function formatItem({ issues, rejectId }: ReviewItem): string {
  const [issue] = issues;
  if (issue === undefined) return '';
  if (rejectId !== null) return withFormats(issue.detail);
  const price = issue.answers.find(({ operation, fields }) => operation === 'createPrices' && fields.length > 0);
  if (price !== undefined) return withFormats(price.detail);
  return [day(issue.date), issue.asset, issue.account].filter(Boolean).join(' · ');
}

interface ItemViewProps {
  readonly item: ReviewItem;
  /** Its first answer is the likeliest on the page. */
  readonly isFirst: boolean;
  /** Answers of the cause, which the item does not repeat. */
  readonly without?: readonly ReviewAnswer[];
}

/** What is unknown about a transaction or a row of a file, where it comes from, and the answers. */
function ItemView({ item, isFirst, without = [] }: ItemViewProps) {
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

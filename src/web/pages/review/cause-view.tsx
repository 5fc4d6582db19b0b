import { useState } from 'preact/hooks';
import { useResource } from '../../api/resource.ts';
import { formatCount } from '../../format/amounts.ts';
import { day, withFormats } from '../../format/dates.ts';
import { Money } from '../../parts/amount.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { AnswersList } from './answers-list.tsx';
import { type CauseDetails, formatCause, formatCauseSize, formatStake, type ReviewItem, readCause } from './causes.tsx';
import { ItemView } from './item-view.tsx';

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
              <button type="button" onClick={() => setLimit(Math.min(1_000, limit + 100))}>
                Show more
              </button>
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

function keyOf({ issues }: ReviewItem): string {
  return issues[0]?.id ?? '';
}

function formatItem({ issues, rejectId }: ReviewItem): string {
  const [issue] = issues;
  if (issue === undefined) return '';
  if (rejectId !== null) return withFormats(issue.detail);
  const price = issue.answers.find(({ operation, fields }) => operation === 'createPrices' && fields.length > 0);
  if (price !== undefined) return withFormats(price.detail);
  return [day(issue.date), issue.asset, issue.account].filter(Boolean).join(' · ');
}

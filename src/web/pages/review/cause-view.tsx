import { useState } from 'preact/hooks';
import { useResource } from '../../api/resource.ts';
import { formatCount } from '../../format/amounts.ts';
import { day, withFormats } from '../../format/dates.ts';
import { Money } from '../../parts/amount.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { AnswersList } from './answers-list.tsx';
import { type CauseDetails, formatCause, formatCauseSize, type ReviewItem, readCause } from './causes.ts';
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
                <Stake cause={data} />
              </p>
            </header>
            {data.answers.length > 0 && (
              <AnswersList label={`Answers to all ${formatCount(data.count, 'item')}`} answers={data.answers} />
            )}
            {data.items.length === 1 ? (
              data.items.map((item) => <ItemView key={keyOf(item)} item={item} isFirst />)
            ) : (
              <ItemList items={data.items} isFirst={data.answers.length === 0} />
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

function Stake({ cause: { dollars, unknown, count } }: { readonly cause: CauseDetails }) {
  if (unknown === count) return <>Unknown amount affected</>;
  return (
    <>
      <Money amount={dollars} /> affected{unknown > 0 && `, plus ${formatCount(unknown, 'item')} of unknown amount`}
    </>
  );
}

interface ItemListProps {
  readonly items: readonly ReviewItem[];
  /** There is no answer to all of them. */
  readonly isFirst: boolean;
}

function ItemList({ items, isFirst }: ItemListProps) {
  const [open, setOpen] = useState<string | null>(null);
  return (
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
            {open === key && <ItemView item={item} isFirst={isFirst} />}
          </li>
        );
      })}
    </ul>
  );
}

function keyOf({ issues }: ReviewItem): string {
  return issues[0]?.id ?? '';
}

function formatItem({ issues, rejectId }: ReviewItem): string {
  const [issue] = issues;
  if (issue === undefined) return '';
  if (rejectId !== null) return withFormats(issue.detail);
  return [day(issue.date), issue.asset, issue.account].filter(Boolean).join(' · ');
}

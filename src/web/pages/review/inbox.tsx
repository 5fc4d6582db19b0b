import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { to } from '../../api/page-url.ts';
import { Money } from '../../parts/amount.tsx';
import { Field } from '../../parts/field.tsx';
import { CauseView } from './cause-view.tsx';
import { formatCause, formatCauseSize, type ReviewCause } from './causes.tsx';

interface InboxProps {
  readonly causes: readonly ReviewCause[];
  readonly year: number | undefined;
}

/** The causes on the left, and the chosen one with its answers on the right. A phone shows one of the two. */
export function Inbox({ causes, year }: InboxProps) {
  const { query, route } = useLocation();
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(shownMax);
  const matching = causes.filter((cause) => matches(cause, search));
  const shown = matching.slice(0, limit);
  // After an answer, the next cause takes the place of the answered one.
  const place = useRef(0);
  const found = shown.findIndex(({ id }) => id === query.item);
  if (found !== -1) place.current = found;
  const at = Math.max(0, Math.min(place.current, shown.length - 1));
  const chosen = shown[at];
  const hrefOf = (item: string | undefined) => to('/review', { ...query, client: undefined, item });
  const list = useRef<HTMLUListElement>(null);
  useKeys((step) => {
    const next = shown[at + step];
    if (next === undefined) return;
    route(hrefOf(next.id), true);
    list.current?.children[at + step]?.querySelector('a')?.focus();
  });
  return (
    <div class={query.item === undefined ? 'inbox' : 'inbox is-chosen'}>
      <div class="inbox-list">
        {causes.length > 5 && <Field label="Search items" type="search" value={search} onInput={setSearch} />}
        <ul ref={list} aria-label="Items to review">
          {shown.map((cause) => (
            <li key={cause.id}>
              <a href={hrefOf(cause.id)} aria-current={cause === chosen ? 'true' : undefined}>
                <span class="cause-name">{formatCause(cause)}</span>
                <CauseStake cause={cause} />
                <span class="fine">{formatCauseSize(cause)}</span>
              </a>
            </li>
          ))}
        </ul>
        {shown.length === 0 && <p class="fine">No item matches.</p>}
        {matching.length > shown.length && (
          <button type="button" onClick={() => setLimit(limit + shownMax)}>
            Show more
          </button>
        )}
      </div>
      {chosen !== undefined && (
        <article class="card inbox-item" aria-label={formatCause(chosen)}>
          <p class="inbox-back">
            <a href={hrefOf(undefined)}>Back to the list</a>
          </p>
          <CauseView key={chosen.id} id={chosen.id} year={year} />
          <p class="fine keys-hint">
            <kbd>j</kbd> <kbd>k</kbd> next and previous, <kbd>1</kbd>–<kbd>9</kbd> answer, <kbd>e</kbd> edit,{' '}
            <kbd>u</kbd> undo
          </p>
        </article>
      )}
    </div>
  );
}

/** More would make moving through the list slow. Searching finds all. */
const shownMax = 150;

function CauseStake({ cause: { dollars, unknown, count } }: { readonly cause: ReviewCause }) {
  return unknown === count ? <span class="fine">unknown</span> : <Money amount={dollars} />;
}

function matches(cause: ReviewCause, search: string): boolean {
  const text = `${formatCause(cause)} ${cause.account} ${cause.asset} ${cause.assetName ?? ''}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Keys of the inbox, unless the user types into a field: j and k move, 1 to 9 answer, e edits and u undoes. */
function useKeys(move: (step: 1 | -1) => void): void {
  const current = useRef(move);
  current.current = move;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.matches('input, select, textarea, dialog *');
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'j' || event.key === 'k') current.current(event.key === 'j' ? 1 : -1);
      else if (/^[1-9]$/.test(event.key)) click(`.inbox-item .answers > li > *`, Number(event.key) - 1);
      else if (event.key === 'e') click('.inbox-item [data-key="e"]', 0);
      else if (event.key === 'u') click('.toast button:not(.plain)', -1);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

function click(selector: string, at: number): void {
  const element = [...document.querySelectorAll<HTMLElement>(selector)].at(at);
  element?.focus();
  element?.click();
}

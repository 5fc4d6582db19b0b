import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { IssueKind } from '../../engine/model.ts';
import { api, useList } from '../api/api.ts';
import { to } from '../api/page-url.ts';
import { useListedYear, useYears } from '../api/tax-year.ts';
import { day, withFormats } from '../format/dates.ts';
import { Money } from '../parts/amount.tsx';
import { ActionButton, Button } from '../parts/button.tsx';
import { Field, toOptions } from '../parts/field.tsx';
import { FilterChoice, useFilters } from '../parts/filters.tsx';
import { OwnBooks } from '../parts/own-books.tsx';
import { Card, Empty, ListView, Page, ResourceView } from '../parts/page.tsx';
import { YearsChoice } from '../parts/years-choice.tsx';
import { type AnsweredFilter, type AnsweredIssue, reopen } from './review/answers.ts';
import { CauseView } from './review/cause-view.tsx';
import { formatCause, formatCauseSize, formatTotal, kindNames, type ReviewCause, useCauses } from './review/causes.tsx';

/** The items to review, grouped by cause, largest amounts first. */
export default function Review() {
  const { query } = useLocation();
  const listed = useListedYear();
  const year = listed ?? undefined;
  const years = useYears().data?.data;
  const causes = useCauses(listed === undefined ? null : year);
  const total = causes.data?.total;
  const state = (['accepted', 'resolved'] as const).find((each) => each === query.status);
  const show = useFilters();
  return (
    <Page
      title="Review"
      lead={total !== undefined && total.count > 0 && formatTotal(total)}
      actions={
        <>
          <YearsChoice onChange={(years) => show({ years })} />
          <FilterChoice
            name="status"
            label="Status"
            options={toOptions({ '': 'Open', resolved: 'Resolved', accepted: 'Kept' })}
          />
        </>
      }
    >
      {state === undefined ? (
        <ResourceView reading={causes}>
          {({ data }) => (
            <OpenItems
              key={year}
              causes={data}
              year={year}
              kind={query.kind as IssueKind | undefined}
              isNew={years?.length === 0}
            />
          )}
        </ResourceView>
      ) : (
        <AnsweredList key={state} filter={{ status: state, ...(year === undefined ? {} : { year }) }} />
      )}
    </Page>
  );
}

interface OpenItemsProps {
  readonly causes: readonly ReviewCause[];
  readonly year: number | undefined;
  /** The only kind shown, if a link from another page set one. */
  readonly kind: IssueKind | undefined;
  /** Whether nothing has been imported yet. */
  readonly isNew: boolean;
}

function OpenItems({ causes, year, kind, isNew }: OpenItemsProps) {
  const most = useRef(0);
  const shown = causes.filter((cause) => kind === undefined || cause.kind === kind);
  const left = shown.reduce((sum, cause) => sum + cause.count, 0);
  most.current = Math.max(most.current, left);
  if (left === 0) return <Nothing isNew={isNew} />;
  return (
    <>
      {left < most.current && <progress max={most.current} value={most.current - left} aria-label="Items done" />}
      <Inbox causes={shown} year={year} />
    </>
  );
}

function Nothing({ isNew }: { readonly isNew: boolean }) {
  if (isNew) {
    return (
      <Empty title="Nothing to review yet">
        If something in your files is missing or unclear, we ask here and show the dollars at stake.
      </Empty>
    );
  }
  return (
    <Card title="All done">
      <p>
        Nothing left to review. <a href={to('/forms')}>Generate your forms</a>,{' '}
        <a href={to('/import')}>import more files</a>, or <a href={to('/review', { years: 'all' })}>see all years</a>.
      </p>
    </Card>
  );
}

/** The causes on the left, and the chosen one with its answers on the right. A phone shows one of the two. */
function Inbox({ causes, year }: { readonly causes: readonly ReviewCause[]; readonly year: number | undefined }) {
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
        {matching.length > shown.length && <Button label="Show more" onClick={() => setLimit(limit + shownMax)} />}
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

/** Items that were resolved or kept. Each can be reopened. */
function AnsweredList({ filter }: { readonly filter: AnsweredFilter }) {
  const list = useList(`issues ${JSON.stringify(filter)}`, (cursor) =>
    api.tax.issues.get({ query: { ...filter, ...cursor, limit: 50 } }),
  );
  return (
    <ListView list={list}>
      {({ data }) => (
        <>
          {data.length === 0 && (
            <Card title="None yet">
              <p>Items you resolve appear here. You can reopen them.</p>
            </Card>
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
            <ActionButton label="Reopen" act={() => reopen(issue)} said="Reopened." />
          </OwnBooks>
        )}
      </div>
    </article>
  );
}

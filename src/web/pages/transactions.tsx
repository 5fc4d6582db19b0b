import { useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { LotbookMember } from '../../formats/lotbook-columns.ts';
import { useResource } from '../api/api.ts';
import { type LinkQuery, queryNow, search, to, withClient } from '../api/page-url.ts';
import { useListedYear } from '../api/tax-year.ts';
import { sayProblem } from '../api/toasts.ts';
import { formatCount } from '../format/amounts.ts';
import { allMembers, memberNames } from '../format/member-names.ts';
import { ActionButton, Button, LinkButton } from '../parts/button.tsx';
import { Drawer } from '../parts/dialog.tsx';
import { Choice } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { OwnBooks } from '../parts/own-books.tsx';
import { Card, Empty, Page, ResourceView } from '../parts/page.tsx';
import { computeLayout } from './transactions/days.ts';
import { type FilterChange, filterNames, readDays, readIds, readListFilter, readSort } from './transactions/filter.ts';
import { FilterBar } from './transactions/filter-bar.tsx';
import { TransactionList } from './transactions/list.tsx';
import { MemberField } from './transactions/member-field.tsx';
import { StoryDrawer } from './transactions/story.tsx';
import {
  bulkMost,
  countSelected,
  editMany,
  filteredMost,
  type Selection,
  TransactionForm,
} from './transactions/transaction-form.tsx';

const none: ReadonlySet<string> = new Set();

/** Every transaction in the books, by day. */
export default function Transactions() {
  const { query, route } = useLocation();
  const address = new URLSearchParams(search.value);
  const year = useListedYear();
  const filter = readListFilter(address, year ?? null);
  const filterKey = JSON.stringify(filter);
  const sort = readSort(address);
  const days = useResource(year === undefined ? null : `days ${filterKey} ${sort}`, () => readDays(filter, sort));
  const layout = useMemo(() => computeLayout(days.data ?? []), [days.data]);
  const [selected, setSelected] = useState(none);
  /** The number of rows when all that match were selected. Rows that arrive later are not selected. */
  const [allCount, setAllCount] = useState<number | null>(null);
  const isAll = allCount !== null;
  const clear = () => {
    setSelected(none);
    setAllCount(null);
  };
  const show = (change: LinkQuery, isStep = false) =>
    route(to('/transactions', { ...queryNow(), client: undefined, ...change }), !isStep);
  const applyFilter = (change: FilterChange) => {
    clear();
    window.scrollTo(0, 0);
    show(change);
  };
  // Users who came from an item to review return to it.
  const close = () =>
    query.back === 'questions' && history.length > 1 ? history.back() : show({ open: undefined, edit: undefined });
  const isFiltered = filterNames.some((name) => filter[name] !== undefined);
  const selectAll = async (isSelected: boolean) => {
    if (!isSelected) return clear();
    setSelected(new Set(await readIds(filter, sort, bulkMost)));
  };
  return (
    <Page
      title="Transactions"
      lead={
        days.data &&
        formatCount(
          layout.rows,
          isFiltered ? 'transaction found' : 'transaction',
          isFiltered ? 'transactions found' : 'transactions',
        )
      }
      actions={
        <>
          <LinkButton
            icon="reports"
            label="Export all as CSV"
            href={withClient(new URL('/v1/transactions/export', location.origin)).href}
            download="lotbook-transactions.csv"
          />
          <OwnBooks>
            <Button icon="add" label="Add" class="primary" onClick={() => show({ open: 'new' }, true)} />
          </OwnBooks>
        </>
      }
    >
      <FilterBar
        filter={filter}
        sort={sort}
        onChange={applyFilter}
        onSort={(newSort) => show({ sort: newSort === '-date' ? undefined : newSort })}
      />
      <ResourceView reading={days}>
        {() =>
          layout.rows === 0 ? (
            <Nothing isFiltered={isFiltered} year={year ?? null} />
          ) : (
            <TransactionList
              key={`${filterKey} ${sort}`}
              {...{ layout, filter, sort, selected, isAll }}
              onSelect={(change) => {
                setAllCount(null);
                setSelected(change);
              }}
              onSelectAll={(isSelected) => void selectAll(isSelected).catch(sayProblem)}
              onOpen={(open) => show({ open }, true)}
            />
          )
        }
      </ResourceView>
      <SelectionBar
        selection={allCount === null ? { ids: selected } : { filter, count: allCount }}
        all={
          isAll || selected.size < bulkMost || layout.rows <= selected.size || layout.rows > filteredMost
            ? null
            : { count: layout.rows, select: () => setAllCount(layout.rows) }
        }
        onClear={clear}
      />
      {query.open === 'new' && (
        <Drawer title="Add a transaction" label="Add a transaction" onClose={close}>
          <TransactionForm
            story={null}
            {...(query.back === 'questions'
              ? { start: { asset: query.asset ?? '', account: query.account ?? '' } }
              : {})}
            onDone={close}
            onCancel={close}
          />
        </Drawer>
      )}
      {query.open !== undefined && query.open !== '' && query.open !== 'new' && (
        <StoryDrawer
          key={query.open}
          id={query.open}
          isEditing={query.edit === 'yes'}
          onEdit={(isEditing) => show({ edit: isEditing ? 'yes' : undefined })}
          onClose={close}
        />
      )}
    </Page>
  );
}

interface EmptyListProps {
  readonly isFiltered: boolean;
  /** The year that the list is limited to. */
  readonly year: number | null;
}

function Nothing({ isFiltered, year }: EmptyListProps) {
  const allYears = year !== null && (
    <>
      {' '}
      You can also <a href={to('/transactions', { ...queryNow(), years: 'all' })}>show all years</a>.
    </>
  );
  const when = year === null ? '' : ` in ${year}`;
  if (isFiltered) {
    return (
      <Card title={`No matching transactions${when}`}>
        <p>Try clearing a filter.{allYears}</p>
      </Card>
    );
  }
  return (
    <Empty title={`No transactions${when || ' yet'}`}>
      Everything that your files contain appears here, by date, and you can add transactions manually.{allYears}
    </Empty>
  );
}

interface SelectionProps {
  readonly selection: Selection;
  /** All rows of the list. Null if they are selected or too many for one edit. */
  readonly all: { readonly count: number; readonly select: () => void } | null;
  readonly onClear: () => void;
}

/** Actions for the selected rows. */
function SelectionBar({ selection, all, onClear }: SelectionProps) {
  const [isEditing, setEditing] = useState(false);
  const count = countSelected(selection);
  if (count === 0) return null;
  return (
    <section class="selection-bar" aria-label="Selected transactions">
      <strong role="status">{formatCount(count, 'transaction')} selected</strong>
      {all !== null && (
        <Button
          label={`Select all ${formatCount(all.count, 'transaction')} that match`}
          class="plain"
          onClick={all.select}
        />
      )}
      <Button label="Clear" class="plain" onClick={onClear} />
      <OwnBooks>
        <Button icon="edit" label="Change" onClick={() => setEditing(true)} />
        <ActionButton
          icon="remove"
          label="Delete"
          busy="Deleting…"
          class="danger"
          act={() => editMany(selection, { delete: true }).then(onClear)}
        />
      </OwnBooks>
      {isEditing && <BulkDrawer selection={selection} onClose={() => setEditing(false)} onDone={onClear} />}
    </section>
  );
}

interface BulkDrawerProps {
  readonly selection: Selection;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Sets one field in all selected rows. */
function BulkDrawer({ selection, onClose, onDone }: BulkDrawerProps) {
  const rows = formatCount(countSelected(selection), 'transaction');
  const [member, setMember] = useState<LotbookMember>('account');
  const [value, setValue] = useState('');
  const save = async () => {
    await editMany(selection, { set: { [member]: value === '' ? null : value } });
    onClose();
    onDone();
  };
  return (
    <Drawer title={`Change ${rows}`} label="Change transactions" onClose={onClose}>
      <Form fields={{}} verb={`Change ${rows}`} busy={`Changing ${rows}…`} onSubmit={save} onClose={onClose}>
        <div class="fields">
          <Choice
            label="Field"
            value={member}
            options={allMembers.map((each) => ({ value: each, label: memberNames[each].label }))}
            onChange={(chosen) => {
              setMember(chosen);
              setValue('');
            }}
          />
          <MemberField member={member} value={value} onInput={setValue} />
        </div>
        <p class="fine">
          Either all of them change or none. Leave the field blank to clear the value. You can undo this.
        </p>
      </Form>
    </Drawer>
  );
}

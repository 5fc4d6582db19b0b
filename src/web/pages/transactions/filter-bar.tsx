import { useState } from 'preact/hooks';
import { useImports } from '../../api/status.ts';
import { formatCount } from '../../format/amounts.ts';
import { moment } from '../../format/dates.ts';
import { formatSentenceCase, typeOptions, typesOfGroup } from '../../format/words.ts';
import { Button, Icon } from '../../parts/button.tsx';
import { Choice, Field, SearchField } from '../../parts/field.tsx';
import { narrow } from '../../parts/window-list.ts';
import { YearsChoice } from '../../parts/years-choice.tsx';
import { dayAfter, dayBefore, type FilterChange, filterNames, type ListFilter, type ListSort } from './filter.ts';
import { useKnownNames } from './member-field.tsx';

interface FilterBarProps {
  readonly filter: ListFilter;
  readonly sort: ListSort;
  readonly onChange: (change: FilterChange) => void;
  readonly onSort: (sort: ListSort) => void;
}

/** The filters and the sort order of the list. All of them are in the URL. */
export function FilterBar({ filter, sort, onChange, onSort }: FilterBarProps) {
  const count = filterNames.filter((name) => filter[name] !== undefined).length;
  const ids = filter.ids?.split(',').length ?? 0;
  const clear = () => onChange(Object.fromEntries(filterNames.map((name) => [name, ''])));
  const [isOpen, setOpen] = useState(!narrow.matches && count > (filter.q === undefined ? 0 : 1) && ids === 0);
  return (
    <section aria-label="Filters">
      <div class="filters list-search">
        <SearchField label="Search" value={filter.q ?? ''} onSearch={(q) => onChange({ q })} />
        <YearsChoice onChange={(years) => onChange({ years })} />
        <Choice label="Sort by" value={sort} options={orders} onChange={onSort} />
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name="settings" /> Filters{count > 0 && <span class="badge">{count}</span>}
        </button>
        {count > 0 && <Button icon="close" label="Clear" onClick={clear} />}
        {ids > 0 && <p class="fine">Showing {formatCount(ids, 'linked transaction')}</p>}
      </div>
      <QuickFilters filter={filter} onChange={onChange} />
      {isOpen && <MoreFilters filter={filter} onChange={onChange} />}
    </section>
  );
}

/** One click for what people look for most. A second click clears it. */
function QuickFilters({ filter, onChange }: Pick<FilterBarProps, 'filter' | 'onChange'>) {
  const types = [...toList(filter.type)].sort().join();
  return (
    <p class="actions quick-filters">
      <Button
        label="Needs review"
        class="chip"
        aria-pressed={filter.needsReview === true}
        onClick={() => onChange({ needsReview: filter.needsReview === true ? '' : 'true' })}
      />
      {quickTypes.map(({ label, values }) => {
        const isOn = types === [...values].sort().join();
        return (
          <Button
            key={label}
            label={label}
            class="chip"
            aria-pressed={isOn}
            onClick={() => onChange({ type: isOn ? [] : values })}
          />
        );
      })}
      <span class="fine keys-hint">
        <kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>Enter</kbd> open, <kbd>Space</kbd> select, <kbd>Esc</kbd> clear
      </span>
    </p>
  );
}

const quickTypes: readonly { readonly label: string; readonly values: readonly string[] }[] = [
  { label: 'Purchases', values: ['buy', 'reinvest', 'espp_purchase', 'buy_to_open'] },
  { label: 'Sales', values: ['sell', 'trade', 'spend', 'cover', 'buy_to_close', 'sell_to_close', 'reported_sale'] },
  { label: 'Income', values: typesOfGroup('Income') },
  { label: 'Transfers', values: typesOfGroup('Transfers') },
];

const orders: readonly { readonly value: ListSort; readonly label: string }[] = [
  { value: '-date', label: 'Newest first' },
  { value: 'date', label: 'Oldest first' },
  { value: '-amount', label: 'Largest amount first' },
  { value: 'amount', label: 'Smallest amount first' },
  { value: 'asset', label: 'Asset, A to Z' },
  { value: '-asset', label: 'Asset, Z to A' },
];

function MoreFilters({ filter, onChange }: Pick<FilterBarProps, 'filter' | 'onChange'>) {
  const { assets, accounts } = useKnownNames();
  const imports = useImports();
  return (
    <div class="card fields">
      <Field
        label="From"
        type="date"
        value={filter.from ?? ''}
        onInput={(from) => onChange({ from, ...ofAnyYear(from) })}
      />
      <Field
        label="To"
        type="date"
        value={filter.to === undefined ? '' : dayBefore(filter.to)}
        onInput={(to) => onChange({ to: to === '' ? '' : dayAfter(to), ...ofAnyYear(to) })}
      />
      <SeveralChoice
        label="Type"
        values={toList(filter.type)}
        options={typeOptions}
        onChange={(type) => onChange({ type })}
      />
      <SeveralTyped
        label="Asset"
        values={toList(filter.asset)}
        suggestions={assets}
        onChange={(asset) => onChange({ asset })}
      />
      <SeveralChoice
        label="Account"
        values={toList(filter.account)}
        options={accounts.map((each) => ({ value: each, label: each }))}
        onChange={(account) => onChange({ account })}
      />
      <Choice
        label="File"
        value={filter.importId ?? ''}
        options={[
          anyOf('All files'),
          ...(imports.data?.data ?? []).map(({ id, fileName, format, createdAt }) => ({
            value: id,
            label: `${fileName ?? formatSentenceCase(format ?? 'file')}, ${moment(createdAt)}`,
          })),
        ]}
        onChange={(importId) => onChange({ importId })}
      />
      <Choice
        label="Status"
        value={filter.needsReview === undefined ? '' : filter.needsReview ? 'true' : 'false'}
        options={[anyOf('All'), { value: 'true', label: 'Needs review' }, { value: 'false', label: 'No issues' }]}
        onChange={(needsReview) => onChange({ needsReview })}
      />
    </div>
  );
}

/** A day can be in another year than that of the frame. */
const ofAnyYear = (day: string): FilterChange => (day === '' ? {} : { years: 'all' });

const anyOf = (label: string) => ({ value: '', label });

function toList(values: string | readonly string[] | undefined): readonly string[] {
  return values === undefined ? [] : typeof values === 'string' ? [values] : values;
}

interface SeveralProps {
  readonly label: string;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}

/** Selects any number of options from a list. Each selected option is listed below with a remove button. */
function SeveralChoice({
  label,
  values,
  options,
  onChange,
}: SeveralProps & { readonly options: readonly { readonly value: string; readonly label: string }[] }) {
  const left = options.filter(({ value }) => !values.includes(value));
  return (
    <div>
      <Choice
        label={label}
        value=""
        options={[{ value: '', label: values.length === 0 ? 'All' : 'Add another' }, ...left]}
        onChange={(value) => onChange([...values, value])}
      />
      <Chosen
        label={label}
        values={values}
        nameOf={(value) => options.find((option) => option.value === value)?.label ?? value}
        onChange={onChange}
      />
    </div>
  );
}

/** Accepts typed names. A known one is added at once, and others with Enter or when the field loses the focus. */
function SeveralTyped({
  label,
  values,
  suggestions,
  onChange,
}: SeveralProps & { readonly suggestions: readonly string[] }) {
  const [typed, setTyped] = useState('');
  const add = (text: string) => {
    setTyped('');
    const value = text.trim();
    if (value !== '' && !values.includes(value)) onChange([...values, value]);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add(typed);
      }}
      onFocusOut={() => add(typed)}
    >
      <Field
        label={label}
        value={typed}
        placeholder={values.length === 0 ? 'All' : 'Add another'}
        suggestions={suggestions}
        onInput={(text) => (isOnlyOne(suggestions, text) ? add(text) : setTyped(text))}
      />
      <Chosen label={label} values={values} nameOf={(value) => value} onChange={onChange} />
    </form>
  );
}

/** Returns whether the text is a known name and not the beginning of a longer one. */
function isOnlyOne(names: readonly string[], text: string): boolean {
  return names.includes(text) && !names.some((name) => name !== text && name.startsWith(text));
}

function Chosen({ label, values, nameOf, onChange }: SeveralProps & { readonly nameOf: (value: string) => string }) {
  if (values.length === 0) return null;
  return (
    <ul class="chosen" aria-label={`${label}, chosen`}>
      {values.map((value) => (
        <li key={value}>
          <button
            type="button"
            class="chip"
            aria-label={`Not ${nameOf(value)}`}
            onClick={() => onChange(values.filter((each) => each !== value))}
          >
            {nameOf(value)} <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}

import { useLocation } from 'preact-iso';
import { boxNames } from '../../../engine/statement-values.ts';
import { to } from '../../api/page-url.ts';
import { month } from '../../format/dates.ts';
import { Choice } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { YearsChoice } from '../../parts/years-choice.tsx';
import { filterNames, type LineFilterName, useLinesAddress } from './filter.ts';

/** The filters for Form 8949 entries. All of them are in the URL. */
export function LineFilters() {
  const { query, route } = useLocation();
  const show = (change: Partial<Record<LineFilterName | 'years', string>>) =>
    route(to('/forms/8949', { ...query, line: null, ...change }), true);
  const isNarrowed = filterNames.some((name) => (query[name] ?? '') !== '');
  return (
    <div class="filters compact">
      <YearsChoice onChange={(years) => show({ years, month: '' })} />
      {useLinesAddress().year !== '' && (
        <Choice
          label="Month"
          value={query.month ?? ''}
          options={[anyOf('All months'), ...months]}
          onChange={(chosen) => show({ month: chosen })}
        />
      )}
      <Choice
        label="Term"
        value={query.term ?? ''}
        options={[anyOf('All'), { value: 'short', label: 'Short-term' }, { value: 'long', label: 'Long-term' }]}
        onChange={(term) => show({ term })}
      />
      <Choice
        label="Box"
        value={query.box ?? ''}
        options={[
          anyOf('All boxes'),
          ...Object.entries(boxNames).map(([box, name]) => ({ value: box, label: `Box ${box}: ${name}` })),
        ]}
        onChange={(box) => show({ box })}
      />
      <Choice
        label="Adjustment"
        value={query.code ?? ''}
        options={[anyOf('Any'), ...codes]}
        onChange={(code) => show({ code })}
      />
      <SearchField label="Find" value={query.q ?? ''} placeholder="AAPL" onSearch={(q) => show({ q })} />
      {(['asset', 'account', 'importId'] as const).map(
        (name) =>
          (query[name] ?? '') !== '' && (
            <button key={name} type="button" class="chip" onClick={() => show({ [name]: '' })}>
              {name === 'importId' ? 'From one import' : query[name]}
              <Icon name="close" />
              <span class="visually-hidden">, show all</span>
            </button>
          ),
      )}
      {isNarrowed && (
        <a class="button chip" href={to('/forms/8949', { sort: query.sort })}>
          Clear
        </a>
      )}
    </div>
  );
}

function anyOf(label: string) {
  return { value: '', label };
}

const months = Array.from({ length: 12 }, (_, at) => {
  const value = String(at + 1).padStart(2, '0');
  return { value, label: month(`2000-${value}`) };
});

/** Codes for column (f), as named in the Instructions for Form 8949. */
const codes = [
  { value: 'W', label: 'W: wash sale' },
  { value: 'B', label: 'B: incorrect basis on the form' },
  { value: 'E', label: 'E: expenses not on the form' },
  { value: 'T', label: 'T: incorrect term on the form' },
  { value: 'L', label: 'L: nondeductible loss' },
  { value: 'C', label: 'C: collectible' },
  { value: 'O', label: 'O: other' },
];

import { Money } from './amount.tsx';
import type { Column } from './tables/column.tsx';
import { Table } from './tables/table.tsx';

/** A tax year before and after a previewed change. Null means no activity in the year. */
export interface PreviewedYear {
  readonly year: number;
  readonly before: PreviewedFigures | null;
  readonly after: PreviewedFigures | null;
}

interface PreviewedFigures {
  readonly shortTerm: { readonly gain: string };
  readonly longTerm: { readonly gain: string };
  readonly total: { readonly gain: string };
  readonly washSaleDisallowed?: string;
  readonly income?: string;
  readonly deductible?: string;
  readonly issues?: number;
}

/** A preview of each year's gain. */
export function YearsPreview({ years }: { readonly years: readonly PreviewedYear[] }) {
  const changed = years.filter(({ before, after }) => joinGains(before) !== joinGains(after));
  return (
    <>
      {changed.length === 0 ? (
        <p>No change to any year.</p>
      ) : (
        <Table label="Preview of the tax years" columns={gains} rows={changed} keyOf={({ year }) => year} />
      )}
      <OtherChanges years={years} />
    </>
  );
}

/** Changes other than the gain. */
function OtherChanges({ years }: { readonly years: readonly PreviewedYear[] }) {
  const changes = years.flatMap(({ year, before, after }) =>
    otherFigures.flatMap(({ name, label }) => {
      const [was, is] = [before?.[name] ?? '0.00', after?.[name] ?? '0.00'];
      return was === is ? [] : [{ year, label, was, is }];
    }),
  );
  const questions = years.filter(({ before, after }) => (before?.issues ?? 0) !== (after?.issues ?? 0));
  if (changes.length === 0 && questions.length === 0) return null;
  return (
    <ul class="other-changes">
      {changes.map(({ year, label, was, is }) => (
        <li key={`${year} ${label}`}>
          {year} {label}: <Money amount={was} /> → <Money amount={is} />
        </li>
      ))}
      {questions.map(({ year, before, after }) => (
        <li key={`${year} issues`}>
          {year} items to review: {before?.issues ?? 0} → {after?.issues ?? 0}
        </li>
      ))}
    </ul>
  );
}

const otherFigures = [
  { name: 'washSaleDisallowed', label: 'losses disallowed by wash sales' },
  { name: 'income', label: 'income' },
  { name: 'deductible', label: 'loss deducted' },
] as const;

const gains: readonly Column<PreviewedYear>[] = [
  { head: 'Tax year', cell: ({ year }) => year },
  { head: 'Before', kind: 'gain', cell: ({ before }) => before?.total.gain ?? '0' },
  { head: 'After', kind: 'gain', cell: ({ after }) => after?.total.gain ?? '0' },
  { head: 'Short-term after', kind: 'gain', cell: ({ after }) => after?.shortTerm.gain ?? '0' },
  { head: 'Long-term after', kind: 'gain', cell: ({ after }) => after?.longTerm.gain ?? '0' },
];

function joinGains(figures: PreviewedFigures | null): string {
  return [figures?.shortTerm.gain ?? '0.00', figures?.longTerm.gain ?? '0.00'].join(' ');
}

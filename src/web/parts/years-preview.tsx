import { formatCount } from '../format/amounts.ts';
import { Money } from './amount.tsx';
import { type ColumnSpec, Table } from './tables/table.tsx';

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
  const others = listOthers(years);
  return (
    <>
      {changed.length === 0 ? (
        <p>{others.length === 0 ? 'No change to any year.' : "Form 8949 doesn't change."}</p>
      ) : (
        <Table label="Preview of the tax years" columns={gains} rows={changed} keyOf={({ year }) => year} />
      )}
      {others.length > 0 && <ul class="other-changes">{others}</ul>}
    </>
  );
}

/** Lists the changes other than those of the gain. */
function listOthers(years: readonly PreviewedYear[]) {
  return years.flatMap(({ year, before, after }) => {
    const items = (after?.issues ?? 0) - (before?.issues ?? 0);
    return [
      ...otherFigures.flatMap(({ name, label }) => {
        const [was, is] = [before?.[name] ?? '0.00', after?.[name] ?? '0.00'];
        if (was === is) return [];
        return [
          <li key={`${year} ${label}`}>
            {year} {label}: <Money amount={was} /> → <Money amount={is} />
          </li>,
        ];
      }),
      ...(items === 0
        ? []
        : [
            <li key={`${year} items`}>
              {year}: {formatCount(Math.abs(items), items > 0 ? 'new item' : 'item')} to review
              {items < 0 && (items === -1 ? ' goes away' : ' go away')}
            </li>,
          ]),
    ];
  });
}

const otherFigures = [
  { name: 'washSaleDisallowed', label: 'losses disallowed by wash sales' },
  { name: 'income', label: 'income' },
  { name: 'deductible', label: 'loss deducted' },
] as const;

const gains: readonly ColumnSpec<PreviewedYear>[] = [
  { head: 'Tax year', cell: ({ year }) => year },
  { head: 'Before', kind: 'gain', cell: ({ before }) => before?.total.gain ?? '0' },
  { head: 'After', kind: 'gain', cell: ({ after }) => after?.total.gain ?? '0' },
  { head: 'Short-term after', kind: 'gain', cell: ({ after }) => after?.shortTerm.gain ?? '0' },
  { head: 'Long-term after', kind: 'gain', cell: ({ after }) => after?.longTerm.gain ?? '0' },
];

function joinGains(figures: PreviewedFigures | null): string {
  return [figures?.shortTerm.gain ?? '0.00', figures?.longTerm.gain ?? '0.00'].join(' ');
}

import { useLocation } from 'preact-iso';
import { to } from '../../api/page-url.ts';
import { isZero } from '../../format/amounts.ts';
import { acquiredDay } from '../../format/dates.ts';
import { termName } from '../../format/terms.ts';
import { Money, Quantity } from '../../parts/amount.tsx';
import { HelpTerm } from '../../parts/help-term.tsx';
import type { ColumnSpec } from '../../parts/tables/column.tsx';
import { Table } from '../../parts/tables/table.tsx';
import type { FormLine } from './filter.ts';

/** The entries that match the URL. */
export function LinesTable({ lines }: { readonly lines: readonly FormLine[] }) {
  const { query } = useLocation();
  const property: ColumnSpec<FormLine> = {
    head: 'Property',
    sort: 'asset',
    cell: (line) => (
      <>
        <a href={to('/forms/8949', { ...query, line: line.id })} id={`line-${line.id}`}>
          <Quantity amount={line.quantity} /> {line.asset}
        </a>
        <p class="fine">
          {line.assetName !== undefined && `${line.assetName}, `}
          {line.account}
        </p>
        {line.basisUnknown && <span class="badge">cost unknown</span>}
      </>
    ),
  };
  return (
    <Table
      label="Form 8949 entries"
      columns={[property, ...columns]}
      rows={lines}
      keyOf={({ id }) => id}
      isCurrent={({ id }) => id === query.line}
      sorted={{ path: '/forms/8949', usual: 'date' }}
    />
  );
}

const columns: readonly ColumnSpec<FormLine>[] = [
  { head: 'Acquired', sort: 'acquired', isSpare: true, cell: ({ acquired }) => acquiredDay(acquired) },
  { head: 'Sold', sort: 'date', kind: 'day', cell: ({ sold }) => sold },
  { head: 'Proceeds', sort: 'proceeds', kind: 'money', isSpare: true, cell: ({ proceeds }) => proceeds },
  {
    head: 'Cost basis',
    sort: 'basis',
    kind: 'money',
    isSpare: true,
    cell: ({ basisUnknown, basis }) => (basisUnknown ? <span class="warning">Missing</span> : basis),
  },
  {
    head: 'Adjustment',
    sort: 'adjustment',
    kind: 'money',
    isSpare: true,
    cell: ({ adjustment, code }) => (
      <>
        {!isZero(adjustment) && <Money amount={adjustment} />}
        {code !== '' && (
          <p class="fine">
            <HelpTerm entry="adjustment-codes">code {code}</HelpTerm>
          </p>
        )}
      </>
    ),
  },
  {
    head: 'Gain',
    sort: 'gain',
    kind: 'gain',
    cell: ({ gain, shortSale, term, box }) => (
      <>
        <Money amount={gain} signed />
        <p class="fine">
          {shortSale && 'short sale, '}
          {termName(term)}, box {box}
        </p>
      </>
    ),
  },
];

import { api, type ItemOf, useApi } from '../api/api.ts';
import { to } from '../api/page-url.ts';
import { day } from '../format/dates.ts';
import { termNames } from '../format/methods.ts';
import { Money } from '../parts/amount.tsx';
import { Icon } from '../parts/button.tsx';
import { HelpTerm } from '../parts/help-term.tsx';
import { Card, Empty, ResourceView } from '../parts/page.tsx';
import { type ColumnSpec, Table } from '../parts/tables/table.tsx';
import { YearPage } from '../parts/year-page.tsx';

/** Gains deferred in opportunity funds, as Form 8997 lists them. */
export default function FundsPage() {
  return (
    <YearPage
      title="Opportunity funds"
      lead="Gains that you deferred by investing in a qualified opportunity fund, by part of Form 8997."
      empty={<NoFunds year={null} />}
    >
      {(year) => <Funds year={year} />}
    </YearPage>
  );
}

function Funds({ year }: { readonly year: number }) {
  const reading = useApi(`funds ${year}`, () => api.tax['opportunity-funds'].get({ query: { year, limit: 1_000 } }));
  return (
    <ResourceView reading={reading}>
      {({ data, preview }) =>
        data.length === 0 ? (
          <NoFunds year={year} />
        ) : (
          <>
            {preview !== null && <p class="notice">{preview}</p>}
            <FundTables year={year} interests={data} />
          </>
        )
      }
    </ResourceView>
  );
}

function FundTables({ year, interests }: { readonly year: number; readonly interests: readonly ListedInterest[] }) {
  return (
    <>
      {fundParts.map(({ part, title, about }) => {
        const partInterests = interests.filter((interest) => interest.part === part);
        if (partInterests.length === 0) return null;
        return (
          <Card key={part} title={title}>
            <p class="muted">{about}</p>
            <PartTable title={title} part={part} interests={partInterests} />
          </Card>
        );
      })}
      <Card title="Not included">
        <p>
          Gains from Form 4797 (business property), and fund units you bought beyond the deferred gain. Those units are
          ordinary purchases.
        </p>
        <p class="actions">
          <a class="button" href={to('/forms', { year, format: 'form-8997-csv' })}>
            <Icon name="reports" /> Download table (CSV)
          </a>
        </p>
      </Card>
    </>
  );
}

interface PartTableProps {
  readonly title: string;
  readonly part: FundPart;
  readonly interests: readonly ListedInterest[];
}

function PartTable({ title, part, interests }: PartTableProps) {
  return (
    <Table
      label={title}
      columns={part.startsWith('III') ? [...columnsOf(part), included] : columnsOf(part)}
      rows={interests}
      keyOf={(interest) => interests.indexOf(interest)}
    />
  );
}

function columnsOf(part: FundPart): readonly ColumnSpec<ListedInterest>[] {
  return [
    {
      head: 'Fund',
      cell: ({ fund }) => fund,
      note: ({ account, invested }) => `${account}, invested ${day(invested)}`,
    },
    {
      head: part === 'V' ? 'Basis' : 'Gain deferred',
      kind: 'number',
      cell: ({ basis, deferred }) => <Money amount={basis ?? deferred} />,
      note: ({ term }) => termNames[term],
    },
  ];
}

const included: ColumnSpec<ListedInterest> = {
  head: 'Included',
  kind: 'number',
  cell: ({ part, included, includedOn, value }) => (
    <>
      {included !== null && <Money amount={included} />}
      {includedOn !== null && <p class="fine">on {day(includedOn)}</p>}
      {part === 'III B' && value === null && <p class="fine">value not entered</p>}
    </>
  ),
};

function NoFunds({ year }: { readonly year: number | null }) {
  return (
    <Empty
      title={`No opportunity funds ${year === null ? 'yet' : `in ${year}`}`}
      next={{ label: 'Add a transaction', href: '/transactions', icon: 'add' }}
    >
      Tax on a gain is deferred if you invest it in a{' '}
      <HelpTerm entry="opportunity-fund">qualified opportunity fund</HelpTerm> within 180 days. Add each investment as a
      transaction of the type “Defer gain”, with the fund, its units, the gain, and the gain's date and term.
    </Empty>
  );
}

type ListedInterest = ItemOf<(typeof api.tax)['opportunity-funds']['get']>;
type FundPart = ListedInterest['part'];

const withCodeY = 'Each is also on Form 8949 with code Y.';

/** The parts of Form 8997, in order. */
const fundParts: readonly { readonly part: FundPart; readonly title: string; readonly about: string }[] = [
  { part: 'I', title: 'Held at the beginning of the year', about: 'Part I of Form 8997.' },
  { part: 'II', title: 'Invested in the year', about: 'Part II. Each gain is also on Form 8949 with code Z.' },
  { part: 'III', title: 'Gains included in the year', about: `Part III. ${withCodeY}` },
  { part: 'III A', title: 'Gains included because of a sale or gift', about: `Part III A. ${withCodeY}` },
  { part: 'III B', title: 'Gains included because the deferral ended', about: `Part III B. ${withCodeY}` },
  { part: 'IV', title: 'Held at the end of the year', about: 'Part IV.' },
  { part: 'V', title: 'Held after inclusion', about: 'Part V. Each stays here until you sell it.' },
];

import { useEffect } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { to } from '../api/acting.ts';
import { api, got } from '../api/api.ts';
import { useResource } from '../api/resource.ts';
import { Money } from '../parts/amount.tsx';
import { Page } from '../parts/page.tsx';
import { ResourceView, Waiting } from '../parts/resource-view.tsx';
import { useYears, YearSwitch } from '../parts/year-switch.tsx';

/** The capital gains of a tax year. Without a year in the address, the newest with activity. */
export default function YearPage() {
  const { params } = useRoute();
  const { route } = useLocation();
  const years = useYears();
  const given = /^\d{4}$/.test(params.year ?? '') ? Number(params.year) : null;
  const newest = years.data?.data.at(0)?.year;
  useEffect(() => {
    if (given === null && newest !== undefined) route(to(`/year/${newest}`), true);
  }, [given, newest]);
  if (given !== null) return <Year year={given} />;
  return (
    <Page title="The year">
      <ResourceView reading={years}>{() => (newest === undefined ? <Welcome /> : <Waiting />)}</ResourceView>
    </Page>
  );
}

/** Before the first import. */
function Welcome() {
  return (
    <div class="card">
      <h2>Nothing is here yet</h2>
      <p>Import what your broker or exchange gives you, and the year appears by itself.</p>
    </div>
  );
}

function Year({ year }: { readonly year: number }) {
  const summary = useResource(`summary ${year}`, () => got(api.tax.summary.get({ query: { year } })));
  return (
    <Page title={`Tax year ${year}`} actions={<YearSwitch year={year} hrefOf={(chosen) => to(`/year/${chosen}`)} />}>
      <ResourceView reading={summary}>
        {(data) => (
          <div class="cards">
            <Figure label="Short-term" amount={data.shortTerm.gain} />
            <Figure label="Long-term" amount={data.longTerm.gain} />
            <Figure label="Net gain" amount={data.total.gain} />
            <Figure label="Wash sales, disallowed" amount={data.washSaleDisallowed} signed={false} />
          </div>
        )}
      </ResourceView>
    </Page>
  );
}

function Figure({
  label,
  amount,
  signed = true,
}: {
  readonly label: string;
  readonly amount: string;
  readonly signed?: boolean;
}) {
  return (
    <div class="card">
      <p class="fine">{label}</p>
      <p class="figure">
        <Money amount={amount} signed={signed} />
      </p>
    </div>
  );
}

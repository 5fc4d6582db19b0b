import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { to } from '../api/page-url.ts';
import { useResource } from '../api/resource.ts';
import { useKnownYear, useYears } from '../api/tax-year.ts';
import { formTabs } from '../destinations.ts';
import { Icon } from '../parts/icon.tsx';
import { Page } from '../parts/page.tsx';
import { ResourceView } from '../parts/resource-view.tsx';
import { SignOffBar } from '../parts/sign-off/sign-off-bar.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { readReport } from './reports/reports-data.ts';
import { YearLock } from './reports/year-lock.tsx';
import { YearReports } from './reports/year-report.tsx';

/** The forms and files for a year, and its lock. A URL that names a report redirects to its year. */
export default function Reports() {
  const { query, route } = useLocation();
  const id = query.report;
  const named = useResource(id === undefined ? null : `report ${id}`, () => readReport(id ?? ''));
  const known = useKnownYear();
  const year = id === undefined ? known : (named.data?.year ?? null);
  useEffect(() => {
    if (named.data !== undefined && named.data.year !== known) {
      route(to('/forms', { ...query, year: named.data.year }), true);
    }
  }, [named.data]);
  if (year === null) {
    return (
      <Page title="Forms">
        <Tabs label="Forms" tabs={formTabs} />
        {id === undefined ? <NoYears /> : <ResourceView reading={named}>{() => null}</ResourceView>}
      </Page>
    );
  }
  return (
    <Page
      title={`${year} tax forms`}
      lead="Forms to file, tables for your tax software, and the calculations behind them."
    >
      <Tabs label="Forms" tabs={formTabs} />
      <SignOffBar year={year} />
      <YearReports year={year} />
      <YearLock year={year} />
    </Page>
  );
}

function NoYears() {
  return (
    <ResourceView reading={useYears()}>
      {() => (
        <section class="card">
          <h2>No forms yet</h2>
          <p>Upload your broker and exchange files. Each tax year with activity then has its forms here.</p>
          <p class="actions">
            <a class="button primary" href={to('/import')}>
              <Icon name="import" /> Import files
            </a>
          </p>
        </section>
      )}
    </ResourceView>
  );
}

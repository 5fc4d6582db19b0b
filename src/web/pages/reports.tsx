import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { to } from '../api/page-url.ts';
import { useResource } from '../api/resource.ts';
import { useKnownYear, useYears } from '../api/tax-year.ts';
import { formTabs } from '../destinations.ts';
import { Empty } from '../parts/empty.tsx';
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
  const years = useYears().data?.data;
  if (year === null || (id === undefined && years?.length === 0)) {
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
        <Empty title="No forms yet">
          Each tax year with activity gets its Form 8949, Schedule D and files for tax software here.
        </Empty>
      )}
    </ResourceView>
  );
}

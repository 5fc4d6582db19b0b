import { to } from '../api/page-url.ts';
import { useResource } from '../api/resource.ts';
import { useTaxYear, useYears } from '../api/tax-year.ts';
import { formatCount } from '../format/amounts.ts';
import { day } from '../format/dates.ts';
import { Icon } from '../parts/icon.tsx';
import { Page } from '../parts/page.tsx';
import { ResourceView } from '../parts/resource-view.tsx';
import { Notes } from '../parts/sign-off/notes.tsx';
import { SignOffBar } from '../parts/sign-off/sign-off-bar.tsx';
import { Welcome } from './first-run/welcome.tsx';
import { AssumedForms } from './year/assumed-forms.tsx';
import { Checklist, useSteps } from './year/checklist.tsx';
import { Figures, Headline } from './year/figures.tsx';
import { Months } from './year/months.tsx';
import { readSummary } from './year/summary.ts';
import { TopAssets, YearTables } from './year/tables.tsx';

/** The capital gains for the tax year. */
export default function YearPage() {
  const years = useYears();
  const year = useTaxYear();
  if (year !== null && years.data?.data.length !== 0) return <Year year={year} />;
  return (
    <Page title={year === null ? 'Overview' : `Tax year ${year}`}>
      <ResourceView reading={years}>{() => <Welcome />}</ResourceView>
    </Page>
  );
}

function Year({ year }: { readonly year: number }) {
  const summary = useResource(`summary ${year}`, () => readSummary(year));
  const steps = useSteps(year, summary.data);
  const isFiled = steps.every(({ isDone }) => isDone);
  return (
    <Page
      title={`Tax year ${year}`}
      lead={
        summary.data && (
          <>
            {formatCount(summary.data.total.count, 'Form 8949 entry', 'Form 8949 entries')} · {summary.data.method}
            {summary.data.asOf !== null && <> · Data through {day(summary.data.asOf)}</>}
          </>
        )
      }
      actions={
        <a class="button" href={to('/forms', { year })}>
          <Icon name="reports" /> Get Form 8949
        </a>
      }
    >
      <ResourceView reading={summary}>
        {(data) => (
          <>
            <div class="overview">
              <Headline summary={data} isFiled={isFiled} />
              {isFiled ? <TopAssets summary={data} isAside /> : <Checklist year={year} steps={steps} />}
              <Figures summary={data} />
              <Months year={year} />
            </div>
            <SignOffBar year={year} />
            <AssumedForms summary={data} />
            {!isFiled && <TopAssets summary={data} />}
            <YearTables summary={data} />
          </>
        )}
      </ResourceView>
      <Notes year={year} />
    </Page>
  );
}

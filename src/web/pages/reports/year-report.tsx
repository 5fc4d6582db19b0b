import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { to } from '../../api/acting.ts';
import { useResource } from '../../api/resource.ts';
import { counted } from '../../format/amounts.ts';
import { moment } from '../../format/dates.ts';
import { Icon } from '../../parts/icon.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';
import { readSummary } from '../year/summary.ts';
import { ReportFiles } from './report-files.tsx';
import { makeReport, readReports, type YearReport } from './reports-data.ts';

/** The reports of a year: the newest unless the address names another, and its files. */
export function YearReports({ year }: { readonly year: number }) {
  const { query } = useLocation();
  const reading = useResource(`reports ${year}`, () => readReports(year));
  return (
    <ResourceView reading={reading}>
      {({ data }) => {
        const report = data.find(({ id }) => id === query.report) ?? data[0];
        if (report === undefined) return <NoReport year={year} />;
        return (
          <>
            <ReportState report={report} newest={data[0] ?? report} />
            <ReportFiles report={report} />
            {data.length > 1 && <AllReports reports={data} shown={report} />}
          </>
        );
      }}
    </ResourceView>
  );
}

function NoReport({ year }: { readonly year: number }) {
  return (
    <section class="card">
      <h2>No report of {year} yet</h2>
      <p>
        A report keeps the numbers of {year} as they are now, so that its files stay the same however often you download
        them.
      </p>
      <p class="actions">
        <MakeButton year={year} label={`Make the report of ${year}`} />
      </p>
      <OpenIssuesOf year={year} />
    </section>
  );
}

/** Whether the report says what the books say now. */
function ReportState({ report, newest }: { readonly report: YearReport; readonly newest: YearReport }) {
  const { year, stale, createdAt } = report;
  if (report.id !== newest.id) {
    return (
      <Notice>
        This is the report of {moment(createdAt)}, and there is a newer one.{' '}
        <a href={to('/reports', { year })}>Show the newest</a>.
      </Notice>
    );
  }
  return (
    <>
      {stale ? (
        <Notice action={<MakeButton year={year} label="Make a new one" />}>
          The books have changed since this report was made, {moment(createdAt)}. It still gives the old numbers.
        </Notice>
      ) : (
        <p class="muted">
          <Icon name="check" /> Made {moment(createdAt)}. It says what the books say now.
        </p>
      )}
      <OpenIssuesOf year={year} />
    </>
  );
}

function Notice({
  children,
  action,
}: {
  readonly children: preact.ComponentChildren;
  readonly action?: preact.JSX.Element;
}) {
  return (
    <div class="notice">
      <Icon name="warning" />
      <div>
        <p>{children}</p>
      </div>
      {action}
    </div>
  );
}

function OpenIssuesOf({ year }: { readonly year: number }) {
  const issues = useResource(`summary ${year}`, () => readSummary(year)).data?.issues ?? 0;
  if (issues === 0) return null;
  return (
    <p class="muted">
      <a href={to('/needs-you', { year })}>{counted(issues, 'open question')}</a> of {year}: its files say DRAFT until{' '}
      {issues === 1 ? 'it is' : 'they are'} answered or accepted.
    </p>
  );
}

function MakeButton({ year, label }: { readonly year: number; readonly label: string }) {
  const { query, route } = useLocation();
  const [isBusy, setBusy] = useState(false);
  async function make(): Promise<void> {
    setBusy(true);
    try {
      await makeReport(year);
      say(`The report of ${year} is made.`);
      // A report that the address names would hide the new one.
      if (query.report !== undefined) route(to('/reports', { ...query, report: undefined }), true);
    } catch (error) {
      sayProblem(error);
    }
    setBusy(false);
  }
  return (
    <OwnBooks isSaid>
      <button type="button" class="primary" disabled={isBusy} onClick={() => void make()}>
        {isBusy ? 'One moment…' : label}
      </button>
    </OwnBooks>
  );
}

/** The reports of a year that were made at other times: their files stay as they were. */
function AllReports({ reports, shown }: { readonly reports: readonly YearReport[]; readonly shown: YearReport }) {
  return (
    <section class="card">
      <h2>All reports of {shown.year}</h2>
      <Scroll label="Reports of the year">
        <table>
          <TableHead columns={['Made', 'Numbers']} />
          <tbody>
            {reports.map(({ id, year, createdAt, stale }) => (
              <tr key={id}>
                <th scope="row">
                  <a href={to('/reports', { year, report: id })} aria-current={id === shown.id ? 'true' : undefined}>
                    {moment(createdAt)}
                  </a>
                </th>
                <td>
                  {stale ? 'of an earlier state of the books' : 'as the books say now'}
                  {id === shown.id && ', shown above'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

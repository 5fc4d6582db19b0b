import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useOpenClient } from '../../api/books.ts';
import { clientId, to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { account } from '../../api/session.ts';
import { moment } from '../../format/dates.ts';
import { Icon } from '../../parts/icon.tsx';
import { OpenIssuesText } from '../../parts/open-issues-text.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';
import { readSummary } from '../year/summary.ts';
import { ReportFiles } from './report-files.tsx';
import { makeReport, readReports, type YearReport } from './reports-data.ts';

/** The reports for a year and their files. Shows the newest report unless the URL names another. */
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
            <BlankOnForms />
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
      <h2>No {year} forms yet</h2>
      <p>This saves the current {year} numbers, so that the files stay the same every time you download them.</p>
      <p class="actions">
        <MakeButton year={year} label={`Generate ${year} forms`} />
      </p>
      <OpenIssuesNote year={year} />
      <BlankOnForms />
    </section>
  );
}

/** Whether the forms will leave the taxpayer's name or number blank, and where to add them. */
function BlankOnForms() {
  const client = useOpenClient().data;
  const isOwn = clientId.value === null;
  const taxpayer = isOwn ? account.value : client;
  if (!taxpayer || account.value?.demo) return null;
  const blank = [
    ...(taxpayer.taxpayerName === '' && taxpayer.name === '' ? ['name'] : []),
    ...(taxpayer.tin === undefined ? ['Social Security number'] : []),
  ];
  if (blank.length === 0) return null;
  return (
    <p class="muted">
      {isOwn ? 'Your' : "The client's"} {blank.join(' and ')} will be blank on the forms.{' '}
      <a href={isOwn ? to('/account') : to('/clients', { client: null })}>Add {blank.length === 1 ? 'it' : 'them'}</a>,
      or write {blank.length === 1 ? 'it' : 'them'} in yourself.
    </p>
  );
}

/** Whether the report is up to date with the books. */
function ReportState({ report, newest }: { readonly report: YearReport; readonly newest: YearReport }) {
  const { year, stale, createdAt } = report;
  if (report.id !== newest.id) {
    return (
      <Notice>
        This version is from {moment(createdAt)}, and there is a newer one.{' '}
        <a href={to('/forms', { year })}>Show the latest</a>.
      </Notice>
    );
  }
  return (
    <>
      {stale ? (
        <Notice action={<MakeButton year={year} label="Regenerate" />}>
          Your data changed since {moment(createdAt)}. This version is out of date.
        </Notice>
      ) : (
        <p class="muted">
          <Icon name="check" /> Generated {moment(createdAt)} · up to date
        </p>
      )}
      <OpenIssuesNote year={year} />
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

function OpenIssuesNote({ year }: { readonly year: number }) {
  const issues = useResource(`summary ${year}`, () => readSummary(year)).data?.issues ?? 0;
  if (issues === 0) return null;
  return (
    <p class="muted">
      <OpenIssuesText year={year} issues={issues} />
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
      say(`${year} forms are ready.`);
      // A report id in the URL would hide the new one.
      if (query.report !== undefined) route(to('/forms', { ...query, report: undefined }), true);
    } catch (error) {
      sayProblem(error);
    }
    setBusy(false);
  }
  return (
    <OwnBooks isSaid>
      <button type="button" class="primary" disabled={isBusy} onClick={() => void make()}>
        {isBusy ? 'Please wait…' : label}
      </button>
    </OwnBooks>
  );
}

/** Earlier reports for a year. Their files never change. */
function AllReports({ reports, shown }: { readonly reports: readonly YearReport[]; readonly shown: YearReport }) {
  return (
    <section class="card">
      <h2>All {shown.year} versions</h2>
      <Scroll label="Versions of this year">
        <table>
          <TableHead columns={['Generated', 'Numbers']} />
          <tbody>
            {reports.map(({ id, year, createdAt, stale }) => (
              <tr key={id}>
                <th scope="row">
                  <a href={to('/forms', { year, report: id })} aria-current={id === shown.id ? 'true' : undefined}>
                    {moment(createdAt)}
                  </a>
                </th>
                <td>
                  {stale ? 'out of date' : 'up to date'}
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

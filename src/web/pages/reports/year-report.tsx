import { useLocation } from 'preact-iso';
import { isPreview } from '../../../forms/preview.ts';
import { to } from '../../api/page-url.ts';
import { changeAccount } from '../../api/session.ts';
import { thisYear } from '../../api/tax-year.ts';
import { say } from '../../api/toasts.ts';
import { moment } from '../../format/dates.ts';
import { ActionButton, Icon } from '../../parts/button.tsx';
import { Form, filled } from '../../parts/form.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { Card, Notice, ResourceView } from '../../parts/page.tsx';
import { Table } from '../../parts/tables/table.tsx';
import { useBlank } from '../year/checklist.tsx';
import { useSummary } from '../year/summary.ts';
import { FormsToConfirm, OpenIssuesText, ReportFiles, useConfirmedForms } from './report-files.tsx';
import { makeReport, useReports, type YearReport } from './reports-data.ts';

/** The reports for a year and their files. Shows the newest report unless the URL names another. */
export function YearReports({ year }: { readonly year: number }) {
  const { query } = useLocation();
  return (
    <ResourceView reading={useReports(year)}>
      {({ data }) => {
        const report = data.find(({ id }) => id === query.report) ?? data[0];
        if (report === undefined) return <NoReport year={year} />;
        return (
          <>
            <PreviewNotice year={year} />
            <ReportState report={report} newest={data[0] ?? report} />
            <BlankOnForms year={year} />
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
    <>
      <PreviewNotice year={year} />
      <FormsToConfirm year={year} />
      <Card title={`No ${year} forms yet`}>
        <p>
          Generated forms keep the {year} numbers of that moment, so a file stays the same however often you download
          it.
        </p>
        <MakeForm year={year} label={isPreview(year) ? `Generate ${year} preview` : `Generate ${year} forms`} />
        <OpenIssuesNote year={year} />
      </Card>
    </>
  );
}

/** A notice for a year whose final IRS forms Lotbook does not have yet. */
function PreviewNotice({ year }: { readonly year: number }) {
  if (!isPreview(year)) return null;
  return (
    <Notice>
      {year < thisYear()
        ? `Lotbook doesn't have the final ${year} IRS forms yet.`
        : `${year} isn't over and its IRS forms aren't final.`}{' '}
      This PDF is a preview, not for filing.
    </Notice>
  );
}

/** What the forms will leave blank, and a form to add it. */
function BlankOnForms({ year }: { readonly year: number }) {
  const { words } = useBlankWords();
  if (words === null) return null;
  return (
    <details class="card">
      <summary>{words} will be blank on the forms</summary>
      <MakeForm year={year} label="Save and regenerate" />
    </details>
  );
}

/** The parts of the taxpayer's name and number that the forms will leave blank, and the words for them. */
function useBlankWords() {
  const blank = useBlank();
  const parts = [...(blank.name ? ['name'] : []), ...(blank.tin ? ['Social Security number'] : [])];
  const words = parts.length === 0 ? null : `${blank.isOwn ? 'Your' : "The client's"} ${parts.join(' and ')}`;
  return { ...blank, words };
}

/** Generates the forms, and asks for what they would leave blank. */
function MakeForm({ year, label }: { readonly year: number; readonly label: string }) {
  const blank = useBlankWords();
  const make = useMake(year);
  return (
    <OwnBooks isSaid>
      <Form
        lead={
          blank.words !== null &&
          !blank.isOwn && (
            <p class="muted">
              {blank.words} will be blank on the forms. <a href={to('/clients', { client: null })}>Edit the client</a>,
              or leave it blank and write it in by hand.
            </p>
          )
        }
        fields={{
          taxpayerName: {
            label: 'Name on tax return',
            autoComplete: 'name',
            hint: 'For a joint return: Ann & Bob Fields.',
            isHidden: !blank.isOwn || !blank.name,
          },
          tin: {
            label: 'Social Security number',
            autoComplete: 'off',
            hint: 'Like 123-45-6789.',
            isHidden: !blank.isOwn || !blank.tin,
          },
        }}
        verb={label}
        busy="Please wait…"
        onSubmit={async ({ taxpayerName, tin }) => {
          const change = filled({ taxpayerName: taxpayerName.trim(), tin: tin.trim() });
          if (Object.keys(change).length > 0) await changeAccount(change);
          await make();
        }}
      >
        {blank.words !== null && blank.isOwn && (
          <p class="fine">
            Optional. You can leave {blank.name && blank.tin ? 'them' : 'it'} blank and write{' '}
            {blank.name && blank.tin ? 'them' : 'it'} in by hand.
          </p>
        )}
      </Form>
    </OwnBooks>
  );
}

/** Whether the report is up to date with the books. */
function ReportState({ report, newest }: { readonly report: YearReport; readonly newest: YearReport }) {
  const { year, stale, createdAt } = report;
  const confirmed = useConfirmedForms(report);
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
        <Notice action={<Regenerate year={year} />}>
          <p>
            Your data changed since {moment(createdAt)}. This version is out of date
            {confirmed.length > 0 && `: it still assumes the form of ${confirmed.join(', ')}, which you have set`}.
          </p>
        </Notice>
      ) : (
        <p class="muted">
          <Icon name="check" /> Generated {moment(createdAt)} · up to date
        </p>
      )}
    </>
  );
}

function OpenIssuesNote({ year }: { readonly year: number }) {
  const issues = useSummary(year).data?.issues ?? 0;
  if (issues === 0) return null;
  return (
    <p class="muted">
      <OpenIssuesText year={year} issues={issues} />
    </p>
  );
}

/** Returns a function that generates the forms from the current books and shows them. */
function useMake(year: number) {
  const { query, route } = useLocation();
  return async () => {
    await makeReport(year);
    say(isPreview(year) ? `The preview of your ${year} forms is ready.` : `${year} forms are ready.`);
    // A report id in the URL would hide the new one.
    if (query.report !== undefined) route(to('/forms', { ...query, report: undefined }), true);
  };
}

function Regenerate({ year }: { readonly year: number }) {
  const make = useMake(year);
  return (
    <OwnBooks isSaid>
      <ActionButton label="Regenerate" busy="Please wait…" class="primary" act={make} />
    </OwnBooks>
  );
}

/** Earlier reports for a year. Their files never change. */
function AllReports({ reports, shown }: { readonly reports: readonly YearReport[]; readonly shown: YearReport }) {
  return (
    <Card title={`All ${shown.year} versions`}>
      <Table
        label="Versions of this year"
        rows={reports}
        hrefOf={({ id, year }) => to('/forms', { year, report: id })}
        isCurrent={({ id }) => id === shown.id}
        columns={[
          { head: 'Generated', kind: 'minute', cell: ({ createdAt }) => createdAt },
          {
            head: 'Numbers',
            cell: ({ id, stale }) => `${stale ? 'out of date' : 'up to date'}${id === shown.id ? ', shown above' : ''}`,
          },
        ]}
      />
    </Card>
  );
}

import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { deskKindWords } from '../../forms/reconciliation/words.ts';
import { api, type DataOf, useList } from '../api/api.ts';
import { to } from '../api/page-url.ts';
import { formTabs } from '../destinations.ts';
import { count, formatCount, isZero } from '../format/amounts.ts';
import { day } from '../format/dates.ts';
import { Money } from '../parts/amount.tsx';
import { Icon, type IconName } from '../parts/button.tsx';
import { toOptions } from '../parts/field.tsx';
import { DownloadButton } from '../parts/files/download-button.tsx';
import { FilterChoice } from '../parts/filters.tsx';
import { HelpTerm } from '../parts/help-term.tsx';
import { Card, Empty, ListView, Tabs } from '../parts/page.tsx';
import { type ColumnSpec, Table, TotalsTable, totalsColumns } from '../parts/tables/table.tsx';
import { YearPage } from '../parts/year-page.tsx';
import { findCurrentReport } from './reports/reports-data.ts';

/** Compares the year's Forms 1099 with our entries. */
export default function Reconcile() {
  return (
    <YearPage
      title="1099 check"
      lead="Compare what brokers reported to the IRS with your records."
      tabs={<Tabs label="Forms" tabs={formTabs} />}
      empty={<NoForms year={null} />}
    >
      {(year) => <Desk year={year} />}
    </YearPage>
  );
}

function Desk({ year }: { readonly year: number }) {
  const { query } = useLocation();
  const show = (['all', 'differences', 'questions'] as const).find((each) => each === query.show) ?? 'all';
  const list = useList(`desk ${year} ${show}`, (cursor) =>
    api.tax.forms.get({ query: { year, show, ...cursor, limit: 100 } }),
  );
  return (
    <ListView list={list}>
      {(desk) =>
        desk.forms.length === 0 && desk.data.length === 0 && show === 'all' ? (
          <NoForms year={year} />
        ) : (
          <>
            <DeskForms year={year} forms={desk.forms} />
            <Card title="Entry by entry">
              <div class="filters">
                <FilterChoice name="show" label="Show" options={showOptions(desk.forms)} />
              </div>
              <DeskEntries year={year} entries={desk.data} />
            </Card>
          </>
        )
      }
    </ListView>
  );
}

function showOptions(forms: YearDesk['forms']) {
  const questions = forms.reduce((sum, form) => sum + form.questions, 0);
  const open = `Need your decision (${formatCount(questions, 'entry', 'entries')})`;
  return toOptions({ all: 'All entries', differences: 'Differences', questions: open });
}

function NoForms({ year }: { readonly year: number | null }) {
  return (
    <Empty
      title={`No Form 1099 ${year === null ? 'yet' : `for ${year}`}`}
      next={{ label: 'Import a 1099', href: '/import', icon: 'import' }}
    >
      Import the <HelpTerm entry="form-1099-b">1099-B</HelpTerm> or <HelpTerm entry="form-1099-da">1099-DA</HelpTerm>{' '}
      from your broker or exchange as a table (CSV). You'll see its rows next to your sales, with an explanation of
      every difference.
    </Empty>
  );
}

/** Each form with its total, our total and the difference, and the statement for all forms. */
function DeskForms({ year, forms }: { readonly year: number; readonly forms: readonly ShownForm[] }) {
  return (
    <>
      {forms.map((form) => (
        <Card key={`${form.account} ${form.form}`} title={`${form.form} from ${form.account}`}>
          <p>
            <FormOutcome form={form} />
          </p>
          <FormTable year={year} form={form} />
        </Card>
      ))}
      <Card title="Reconciliation statement">
        <p>
          A document with each row of each form, our entries, and the reason for every difference. Keep it with your
          return. If the IRS sent you a CP2000 notice, <a href={to('/forms/notice', { year })}>write the answer</a>.
        </p>
        <div class="actions">
          <DownloadButton label="Statement (PDF)" isPrimary pathOf={() => statementPath(year, 'reconciliation')} />
          <DownloadButton label="Table (CSV)" pathOf={() => statementPath(year, 'reconciliation-csv')} />
        </div>
      </Card>
    </>
  );
}

/** The statement is a file in the year's report. */
async function statementPath(year: number, format: string): Promise<string> {
  return `/v1/tax/reports/${await findCurrentReport(year)}/download?format=${format}`;
}

function FormOutcome({ form: { matched, differing, questions, corrected, difference } }: { readonly form: ShownForm }) {
  const explained = differing - questions;
  const areTotalsEqual = totalsColumns.every((name) => isZero(difference[name]));
  return (
    <>
      {formatCount(matched, 'row')} matched
      {explained > 0 &&
        `, ${count(explained)} ${explained === 1 ? 'differs' : 'differ'} and ${explained === 1 ? 'is' : 'are'} explained`}
      {questions > 0 && (
        <>
          , <strong>{count(questions)} need your decision</strong>
        </>
      )}
      .{corrected && ' Some rows were replaced by a corrected form.'}
      {questions === 0 && differing === 0 && ' The form and your records agree.'}
      {differing > 0 && areTotalsEqual && ' The totals agree.'}
    </>
  );
}

function FormTable({ year, form: ofForm }: Readonly<{ year: number; form: ShownForm }>) {
  const { account, form, shown, ours, difference } = ofForm;
  const books = <a href={to('/forms/8949', { year, account })}>In your records</a>;
  return (
    <TotalsTable
      label={`Totals of ${form} from ${account}`}
      rows={[
        { key: 'form', name: 'On the form', totals: shown },
        { key: 'books', name: books, totals: ours },
      ]}
      foot={[
        'Difference',
        ...totalsColumns.map((name) =>
          isZero(difference[name]) ? <span class="muted">none</span> : <Money amount={difference[name]} />,
        ),
      ]}
    />
  );
}

/** Each row on a form with our entries for it, and each of our sales that is missing from the forms. */
function DeskEntries({ year, entries }: { readonly year: number; readonly entries: readonly ShownEntry[] }) {
  if (entries.length === 0) return <p>Nothing here.</p>;
  return (
    <ul class="desk">
      {entries.map((entry) => (
        <li key={entry.id}>
          <Finding year={year} entry={entry} />
          <EntryTable year={year} entry={entry} />
        </li>
      ))}
    </ul>
  );
}

interface DeskEntryProps {
  readonly year: number;
  readonly entry: ShownEntry;
}

/** The difference and its reason. */
function Finding({ year, entry }: DeskEntryProps) {
  const { account, form, date, asset, kind, code, value, asks, reason } = entry;
  return (
    <div>
      <h3>
        {asset}, {day(date)}
      </h3>
      <p class={asks ? 'finding asks' : 'finding'}>
        <Icon name={pickIcon(entry)} /> {deskKindWords[kind]}
        {code !== '' && <span class="badge">code {[...code].join(', ')}</span>}
      </p>
      <p class="fine">
        {reason}
        {!isZero(value) && (
          <>
            {' '}
            <Money amount={value} /> difference.
          </>
        )}
      </p>
      <p class="fine">
        {account}, {form}
        {asks && (
          <>
            {' · '}
            <a href={to('/transactions', { year, asset })}>Fix the transactions</a>
          </>
        )}
      </p>
    </div>
  );
}

function pickIcon({ asks, kind }: ShownEntry): IconName {
  if (asks) return 'questions';
  return kind === 'matched' ? 'check' : 'forms';
}

interface DeskRow {
  readonly key: string;
  readonly name: ComponentChildren;
  readonly box: string | null;
  readonly quantity: string | null;
  readonly proceeds: string;
  readonly basis: string | null;
}

/** The row on the form above our entries for it. */
function EntryTable({ year, entry: { asset, date, row, lines } }: DeskEntryProps) {
  const open = row !== null && <a href={to('/transactions', { open: row.transactionId })}>On the form</a>;
  const ours = lines.map((line): DeskRow => {
    const href = to('/forms/8949', { year, asset, line: line.disposalId });
    const acquired = line.acquired === 'UNKNOWN' ? ', date unknown' : ` acquired ${day(line.acquired)}`;
    const name = <a href={href}>Our lot{acquired}</a>;
    return { ...line, key: `${line.disposalId} ${line.lotId} ${line.quantity}`, name };
  });
  const rows = row === null ? ours : [{ ...row, key: 'form', name: open }, ...ours];
  return <Table label={`${asset}, ${day(date)}`} columns={columns} rows={rows} keyOf={({ key }) => key} />;
}

const columns: readonly ColumnSpec<DeskRow>[] = [
  { head: 'Source', cell: ({ name }) => name },
  { head: 'Box', cell: ({ box }) => box },
  { head: 'Quantity', kind: 'quantity', cell: ({ quantity }) => quantity },
  { head: 'Proceeds', kind: 'money', cell: ({ proceeds }) => proceeds },
  { head: 'Cost basis', kind: 'money', cell: ({ basis }) => basis ?? <span class="muted">not reported</span> },
];

type YearDesk = DataOf<typeof api.tax.forms.get>;
type ShownForm = YearDesk['forms'][number];
type ShownEntry = YearDesk['data'][number];

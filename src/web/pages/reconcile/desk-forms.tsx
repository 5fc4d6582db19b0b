import { api, unwrapResponse } from '../../api/api.ts';
import { to } from '../../api/page-url.ts';
import { count, formatCount, isZero } from '../../format/amounts.ts';
import { Money } from '../../parts/amount.tsx';
import { DownloadButton } from '../../parts/files/download-button.tsx';
import { TotalsTable, totalsColumns } from '../../parts/tables/totals-table.tsx';
import type { ShownForm } from './desk.ts';

/** Each form with its total, our total and the difference, and the statement for all forms. */
export function DeskForms({ year, forms }: { readonly year: number; readonly forms: readonly ShownForm[] }) {
  return (
    <>
      {forms.map((form) => (
        <section key={`${form.account} ${form.form}`} class="card">
          <h2>
            {form.form} from {form.account}
          </h2>
          <p>
            <FormOutcome form={form} />
          </p>
          <FormTable year={year} form={form} />
        </section>
      ))}
      <section class="card">
        <h2>Reconciliation statement</h2>
        <p>
          A document with each row of each form, our entries, and the reason for every difference. Keep it with your
          return as the answer to a CP2000 notice.
        </p>
        <div class="actions">
          <DownloadButton label="Statement (PDF)" isPrimary pathOf={() => statementPath(year, 'reconciliation')} />
          <DownloadButton label="Table (CSV)" pathOf={() => statementPath(year, 'reconciliation-csv')} />
        </div>
      </section>
    </>
  );
}

/** The statement is a file in the year's report. Uses the report that is up to date, or creates one. */
async function statementPath(year: number, format: string): Promise<string> {
  const { data } = await unwrapResponse(api.tax.reports.get({ query: { year } }));
  const { id } = data.find(({ stale }) => !stale) ?? (await unwrapResponse(api.tax.reports.post({ year })));
  return `/v1/tax/reports/${id}/download?format=${format}`;
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

function FormTable({
  year,
  form: { account, form, shown, ours, difference },
}: {
  readonly year: number;
  readonly form: ShownForm;
}) {
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

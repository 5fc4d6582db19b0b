import type { ComponentChildren } from 'preact';
import { to } from '../api/page-url.ts';
import { useResource } from '../api/resource.ts';
import { useTaxYear, useYears } from '../api/tax-year.ts';
import { formatCount, isZero } from '../format/amounts.ts';
import { day } from '../format/dates.ts';
import { Money } from '../parts/amount.tsx';
import { HelpTerm } from '../parts/help-term.tsx';
import { Icon } from '../parts/icon.tsx';
import { OpenIssuesText } from '../parts/open-issues-text.tsx';
import { Page } from '../parts/page.tsx';
import { ResourceView } from '../parts/resource-view.tsx';
import { Notes } from '../parts/sign-off/notes.tsx';
import { SignOffBar } from '../parts/sign-off/sign-off-bar.tsx';
import { AssumedForms } from './year/assumed-forms.tsx';
import { Months } from './year/months.tsx';
import { readSummary, type YearSummary } from './year/summary.ts';
import { YearTables } from './year/tables.tsx';

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

/** Shown before the first import. */
function Welcome() {
  return (
    <section class="card">
      <h2>Let's get your first files in</h2>
      <p>Upload files from your brokers and exchanges; your tax year builds itself.</p>
      <p class="actions">
        <a class="button primary" href={to('/import')}>
          <Icon name="import" /> Import files
        </a>
      </p>
    </section>
  );
}

function Year({ year }: { readonly year: number }) {
  const summary = useResource(`summary ${year}`, () => readSummary(year));
  const isLocked = useYears().data?.data.find((each) => each.year === year)?.locked ?? false;
  return (
    <Page
      title={`Tax year ${year}`}
      lead={
        summary.data && (
          <>
            {formatCount(summary.data.total.count, 'Form 8949 entry', 'Form 8949 entries')} · {summary.data.method}
            {summary.data.asOf !== null && <> · Data through {day(summary.data.asOf)}</>}{' '}
            {isLocked && (
              <span class="badge">
                <Icon name="lock" /> locked
              </span>
            )}
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
            <SignOffBar year={year} />
            <OpenIssues summary={data} />
            <MissingBasis summary={data} />
            <AssumedForms summary={data} />
            <Figures summary={data} />
          </>
        )}
      </ResourceView>
      <Months year={year} />
      {summary.data !== undefined && <YearTables summary={summary.data} />}
      <Notes year={year} />
    </Page>
  );
}

/** How much of the gain has no known cost basis. */
function MissingBasis({ summary: { year, missingBasis } }: { readonly summary: YearSummary }) {
  if (missingBasis.count === 0) return null;
  return (
    <div class="notice">
      <Icon name="warning" />
      <div>
        <p>
          <Money amount={missingBasis.gain} /> of this depends on{' '}
          <HelpTerm entry="missing-basis">missing cost basis</HelpTerm> (
          {formatCount(missingBasis.count, 'entry', 'entries')}). <a href={to('/review', { year })}>Enter cost basis</a>
          .
        </p>
      </div>
    </div>
  );
}

function OpenIssues({ summary: { issues, year } }: { readonly summary: YearSummary }) {
  if (issues === 0) return null;
  return (
    <div class="notice">
      <Icon name="warning" />
      <div>
        <p>
          <OpenIssuesText year={year} issues={issues} />
        </p>
      </div>
    </div>
  );
}

/** The figures of the year. Each links to its entries. */
function Figures({ summary }: { readonly summary: YearSummary }) {
  const { year, shortTerm, longTerm, total, washSaleDisallowed, contracts1256, carryover } = summary;
  const lines = (query: Record<string, string>) => to('/forms/8949', { year, ...query });
  return (
    <div class="cards figures">
      <Figure label="Short-term" entry="short-term" amount={shortTerm.gain} href={lines({ term: 'short' })}>
        {formatCount(shortTerm.count, 'entry', 'entries')}
      </Figure>
      <Figure label="Long-term" entry="long-term" amount={longTerm.gain} href={lines({ term: 'long' })}>
        {formatCount(longTerm.count, 'entry', 'entries')}
      </Figure>
      <Figure label="Net gain" entry="net-gain" amount={total.gain} href={lines({})}>
        Proceeds <Money amount={total.proceeds} />
      </Figure>
      {!isZero(washSaleDisallowed) && (
        <Figure
          label="Wash sales"
          entry="wash-sale"
          amount={washSaleDisallowed}
          signed={false}
          href={lines({ code: 'W' })}
        >
          Disallowed
        </Figure>
      )}
      {contracts1256.count > 0 && (
        <Figure
          label="Section 1256 contracts"
          entry="section-1256"
          amount={contracts1256.gain}
          href={to('/forms', { year })}
        >
          Form 6781, not included above
        </Figure>
      )}
      {!isZero(carryover.deductible) && (
        <Figure
          label="Deductible loss"
          entry="loss-limit"
          amount={carryover.deductible}
          signed={false}
          href={to('/forms', { year })}
        >
          Deductible against other income in {year}
        </Figure>
      )}
      <Carried title={`Carryover to ${year + 1}`} amounts={carryover.out} />
      <Carried title={`Carryover from ${year - 1}`} amounts={carryover.in} />
    </div>
  );
}

interface FigureProps {
  readonly label: string;
  /** The help entry of the label. */
  readonly entry: string;
  readonly amount: string;
  readonly href: string;
  readonly signed?: boolean;
  readonly children: ComponentChildren;
}

function Figure({ label, entry, amount, href, signed = true, children }: FigureProps) {
  return (
    <section class="card">
      <h2 class="figure-name">
        <HelpTerm entry={entry}>{label}</HelpTerm>
      </h2>
      <a class="figure" href={href}>
        <Money amount={amount} signed={signed} />
      </a>
      <p class="fine">{children}</p>
    </section>
  );
}

function Carried({ title, amounts }: { readonly title: string; readonly amounts: YearSummary['carryover']['in'] }) {
  if (isZero(amounts.short) && isZero(amounts.long)) return null;
  return (
    <section class="card">
      <h2 class="figure-name">
        <HelpTerm entry="loss-carryover">{title}</HelpTerm>
      </h2>
      <p>
        <Money amount={amounts.short} /> short-term
        <br />
        <Money amount={amounts.long} /> long-term
      </p>
    </section>
  );
}

import { useLocation } from 'preact-iso';
import { useList } from '../api/list.ts';
import { to } from '../api/page-url.ts';
import { useKnownYear, useYears } from '../api/tax-year.ts';
import { formTabs } from '../destinations.ts';
import { formatCount } from '../format/amounts.ts';
import { Empty } from '../parts/empty.tsx';
import { Choice } from '../parts/field.tsx';
import { HelpTerm } from '../parts/help-term.tsx';
import { ListView } from '../parts/list-view.tsx';
import { Page } from '../parts/page.tsx';
import { ResourceView } from '../parts/resource-view.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { type DeskShow, deskShows, readDesk, type YearDesk } from './reconcile/desk.ts';
import { DeskEntries } from './reconcile/desk-entries.tsx';
import { DeskForms } from './reconcile/desk-forms.tsx';

/** Compares the year's Forms 1099 with our entries. */
export default function Reconcile() {
  const year = useKnownYear();
  const years = useYears();
  if (year === null)
    return (
      <Page title="1099 check">
        <Tabs label="Forms" tabs={formTabs} />
        <ResourceView reading={years}>{() => <NoForms year={null} />}</ResourceView>
      </Page>
    );
  return (
    <Page title={`1099 check, ${year}`} lead="Compare what brokers reported to the IRS with your records.">
      <Tabs label="Forms" tabs={formTabs} />
      <Desk year={year} />
    </Page>
  );
}

function Desk({ year }: { readonly year: number }) {
  const { query, route } = useLocation();
  const show = deskShows.find((each) => each === query.show) ?? 'all';
  const list = useList(`desk ${year} ${show}`, (cursor) => readDesk({ year, show, ...cursor }));
  const choose = (value: DeskShow): void =>
    route(to('/forms/1099', { ...query, show: value === 'all' ? '' : value }), true);
  return (
    <ListView list={list}>
      {(desk) =>
        desk.forms.length === 0 && desk.data.length === 0 && show === 'all' ? (
          <NoForms year={year} />
        ) : (
          <>
            <DeskForms year={year} forms={desk.forms} />
            <section class="card">
              <h2>Entry by entry</h2>
              <div class="filters">
                <Choice label="Show" value={show} options={showOptions(desk.forms)} onChange={choose} />
              </div>
              <DeskEntries year={year} entries={desk.data} />
            </section>
          </>
        )
      }
    </ListView>
  );
}

function showOptions(forms: YearDesk['forms']) {
  const questions = forms.reduce((sum, form) => sum + form.questions, 0);
  return [
    { value: 'all' as const, label: 'All entries' },
    { value: 'differences' as const, label: 'Differences' },
    { value: 'questions' as const, label: `Need your decision (${formatCount(questions, 'entry', 'entries')})` },
  ];
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

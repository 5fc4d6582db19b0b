import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { FilingStatus } from '../../forms/report.ts';
import { api, booksChanged, unwrapResponse } from '../api/api.ts';
import { useOpenClient } from '../api/books.ts';
import { getFirstRun, saveFirstRun, useChosenSources } from '../api/first-run.ts';
import { clientId, to } from '../api/page-url.ts';
import { account, changeAccount } from '../api/session.ts';
import { saveSettings, useSettings } from '../api/settings.ts';
import { getPerson, rememberYear, useTaxYear, useYearChoices } from '../api/tax-year.ts';
import { uploadsHere } from '../api/uploads.ts';
import { browserTimeZone } from '../format/dates.ts';
import { LinkButton } from '../parts/button.tsx';
import { DemoButton, useHasDemo } from '../parts/demo-button.tsx';
import { Choice, toOptions } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { OwnBooks } from '../parts/own-books.tsx';
import { Card, Page, Waiting } from '../parts/page.tsx';
import { TimeZoneField } from '../parts/time-zone-field.tsx';
import { DropCard, DropSummary } from './import/drop-card.tsx';
import { SourceChoice, SourceList } from './import/guide-list.tsx';
import { filingStatusNames } from './settings/names.ts';

const steps = [
  {
    name: 'Your return',
    title: 'Set up your tax year',
    lead: 'Three short steps. You can skip any of them and come back later.',
    View: ReturnStep,
  },
  {
    name: 'Where you traded',
    title: 'Where did you trade?',
    lead: 'You see how to download the files of each place you choose.',
    View: SourcesStep,
  },
  {
    name: 'Your files',
    title: 'Drop your files',
    lead: 'All at once. Each place gets a check mark when its files arrive.',
    View: FilesStep,
  },
] as const;

/** The first steps in empty books: the return, where the person traded, and the files. */
export default function FirstRunPage() {
  const { path, query } = useLocation();
  const shown = useRef(1);
  // While the next page loads, this one stays, and the URL is already that of the next.
  if (path === '/welcome') shown.current = Math.min(Math.max(1, Math.trunc(Number(query.step)) || 1), steps.length);
  const step = shown.current;
  const { title, lead, View } = steps[step - 1] ?? steps[0];
  useEffect(() => {
    if (getFirstRun()?.step !== step) saveFirstRun({ step });
  }, [step, clientId.value]);
  // The key gives the focus to the title of each step.
  return (
    <Page key={`${clientId.value} ${step}`} title={title} lead={lead}>
      <ol class="first-steps" aria-label="Steps">
        {steps.map((each, at) => (
          <li key={each.name}>
            <a href={to('/welcome', { step: at + 1 })} aria-current={at + 1 === step ? 'step' : undefined}>
              {each.name}
            </a>
          </li>
        ))}
      </ol>
      <View />
      {step === 1 && <ExampleFirst />}
    </Page>
  );
}

/** Offers the demo books. A CPA's clients have no use for them. */
function ExampleFirst() {
  const hasDemo = useHasDemo();
  if (!hasDemo || clientId.value !== null || account.value?.demo) return null;
  return (
    <div class="actions example-first">
      <DemoButton label="Look at an example first" />
      <span class="fine">Opens the demo. Sign in again to continue here.</span>
    </div>
  );
}

function SourcesStep() {
  const hasChosen = (getFirstRun()?.sources ?? []).length > 0;
  return (
    <>
      <section class="card">
        <SourceChoice />
      </section>
      <p>
        You only have a Form 1099? <a href={to('/forms/1099')}>Start with the 1099 check</a>.
      </p>
      <p class="actions">
        <a class={hasChosen ? 'button primary' : 'button'} href={to('/welcome', { step: 3 })}>
          {hasChosen ? 'Continue' : 'Skip'}
        </a>
      </p>
    </>
  );
}

function FilesStep() {
  const uploads = uploadsHere();
  const sources = useChosenSources();
  const year = useTaxYear();
  return (
    <>
      <OwnBooks isSaid>
        <DropCard />
      </OwnBooks>
      {uploads.length > 0 && <DropSummary uploads={uploads} />}
      {sources.length > 0 && (
        <Card title="Your files">
          <SourceList />
        </Card>
      )}
      <p class="actions">
        <a
          class={uploads.length > 0 ? 'button primary' : 'button'}
          href={to('/overview')}
          onClick={() => saveFirstRun({ step: null })}
        >
          {uploads.length > 0 ? `See ${year}` : 'Skip'}
        </a>
      </p>
    </>
  );
}

/** The first step: the tax year, and what the return says about the person. */
function ReturnStep() {
  const client = useOpenClient().data;
  const settings = useSettings().data;
  const year = useTaxYear();
  const person = clientId.value === null ? account.value : client;
  if (!person || settings === undefined || year === null) return <Waiting />;
  const statuses = (settings.filingStatusByYear ?? {}) as Readonly<Record<string, FilingStatus>>;
  return <ReturnForm key={getPerson()} person={person} statuses={statuses} year={year} />;
}

interface ReturnFormProps {
  readonly person: { readonly taxpayerName: string; readonly timeZone: string; readonly timeZoneStated: boolean };
  readonly statuses: Readonly<Record<string, FilingStatus>>;
  readonly year: number;
}

function ReturnForm({ person, statuses, year }: ReturnFormProps) {
  const { route } = useLocation();
  const zoneBefore = person.timeZoneStated ? person.timeZone : '';
  // The browser of a CPA does not know where the client lives.
  const zoneFound = zoneBefore === '' && clientId.value === null ? browserTimeZone() : zoneBefore;
  const statusBefore = statuses[year] ?? '';
  return (
    <Form
      class="card"
      draft={`first-run ${getPerson()}`}
      fields={{
        year: { label: 'Tax year', view: YearField },
        timeZone: { label: 'Time zone', view: TimeZoneField, value: zoneFound },
        status: {
          label: 'Filing status',
          value: statusBefore,
          options: [{ value: '', label: 'Choose later' }, ...toOptions(filingStatusNames)],
          hint: 'Decides how much loss you can deduct.',
        },
        taxpayerName: {
          label: 'Name on tax return (optional)',
          value: person.taxpayerName,
          hint: 'Needed on the form. You can add it later.',
        },
      }}
      verb="Continue"
      keeps
      actions={<LinkButton label="Skip" href={to('/welcome', { step: 2 })} />}
      onSubmit={async ({ timeZone, status, taxpayerName }) => {
        const change = {
          ...(timeZone === zoneBefore ? {} : { timeZone }),
          ...(taxpayerName === person.taxpayerName ? {} : { taxpayerName }),
        };
        if (Object.keys(change).length > 0) await savePerson(change);
        if (status !== statusBefore) await saveSettings({ filingStatusByYear: { [year]: status || null } });
        rememberYear(year);
        route(to('/welcome', { step: 2, year }));
      }}
    />
  );
}

/** The tax year, which is in the URL. */
function YearField({ label }: { readonly label: string }) {
  const { route } = useLocation();
  return (
    <Choice
      label={label}
      value={String(useTaxYear())}
      options={useYearChoices().map((each) => ({ value: String(each), label: String(each) }))}
      onChange={(value) => route(to('/welcome', { year: value }), true)}
      hint="You can change it at the top of every page."
    />
  );
}

/** Saves the details of the client whose books are open, or of the user. */
async function savePerson(change: { readonly timeZone?: string; readonly taxpayerName?: string }): Promise<void> {
  const id = clientId.peek();
  if (id === null) await changeAccount(change);
  else await unwrapResponse(api.clients({ id }).patch(change));
  booksChanged();
}

import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { getFirstRun, saveFirstRun, useChosenSources } from '../api/first-run.ts';
import { clientId, to } from '../api/page-url.ts';
import { account } from '../api/session.ts';
import { useTaxYear } from '../api/tax-year.ts';
import { uploadsHere } from '../api/uploads.ts';
import { DemoButton, useHasDemo } from '../parts/demo-button.tsx';
import { OwnBooks } from '../parts/own-books.tsx';
import { Page } from '../parts/page.tsx';
import { ReturnStep } from './first-run/return-step.tsx';
import { DropCard } from './import/drop-card.tsx';
import { DropSummary } from './import/drop-summary.tsx';
import { SourceChoice, SourceList } from './import/guide-list.tsx';

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
        <section class="card">
          <h2>Your files</h2>
          <SourceList />
        </section>
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

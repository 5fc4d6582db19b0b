import type { ComponentChildren } from 'preact';
import type { InformationReturn } from '../../../engine/model.ts';
import { useOpenClient } from '../../api/books.ts';
import { useChosenSources } from '../../api/first-run.ts';
import { clientId, to } from '../../api/page-url.ts';
import { account } from '../../api/session.ts';
import { readSettings, saveSettings } from '../../api/settings.ts';
import { useAccounts, useImports, useReviewTotal } from '../../api/status.ts';
import { useYears } from '../../api/tax-year.ts';
import { say } from '../../api/toasts.ts';
import { count, formatCount } from '../../format/amounts.ts';
import { Button, Icon, LinkButton, useAction } from '../../parts/button.tsx';
import { findPartialAccounts } from '../../parts/coverage.tsx';
import { HelpTerm } from '../../parts/help-term.tsx';
import { OwnBooks, ReadOnlyReason } from '../../parts/own-books.tsx';
import { ProblemNotice } from '../../parts/page.tsx';
import { useReports } from '../reports/reports-data.ts';
import { formatTotal } from '../review/causes.tsx';
import { formNames } from '../settings/names.ts';
import type { YearSummary } from './summary.ts';

/** A step on the way to filed forms. */
interface YearStep {
  readonly name: string;
  readonly isDone: boolean;
  /** Whether to look once more at a step that is done. */
  readonly isDoubtful?: boolean;
  /** What is left to do, or what is done. */
  readonly state: ComponentChildren;
  readonly href: string;
}

/** Returns the steps of a year, or undefined until all data is known. A locked year has no steps left. */
export function useSteps(year: number, summary: YearSummary | undefined): readonly YearStep[] | undefined {
  const imports = useImports();
  const reports = useReports(year);
  const years = useYears();
  const accounts = useAccounts();
  const withoutFiles = useChosenSources().filter(({ hasFiles }) => !hasFiles);
  const { name, tin } = useBlank();
  const review = useReviewTotal(year);
  const isKnown = [imports, reports, years, accounts].every(
    ({ data, problem }) => data !== undefined || problem !== null,
  );
  if (!isKnown || summary === undefined || review === undefined) return undefined;
  const report = reports.data?.data[0];
  const isLocked = years.data?.data.find((each) => each.year === year)?.locked ?? false;
  const partial = findPartialAccounts(accounts.data?.data ?? [], year);
  const blank = [...(name ? ['Name'] : []), ...(tin ? ['SSN'] : [])];
  const { assumedForms } = summary;
  const files = imports.data?.data.filter(({ status }) => status === 'completed').length ?? 0;
  const steps: YearStep[] = [
    {
      name: 'Import your files',
      isDone: withoutFiles.length === 0,
      state:
        withoutFiles.length > 0
          ? `None yet from ${withoutFiles.map(({ label }) => label).join(', ')}`
          : files === 0
            ? 'Entered by hand'
            : `${formatCount(files, 'file')}${partial.length === 0 ? '' : `. Maybe incomplete: ${formatNames(partial)}`}`,
      isDoubtful: files > 0 && partial.length > 0,
      href: to('/import'),
    },
    {
      name: 'Review items',
      isDone: review.count === 0,
      state: review.count === 0 ? 'Nothing left' : formatTotal(review),
      href: to('/review', { year }),
    },
    {
      name: 'Confirm accounts',
      isDone: assumedForms.length === 0,
      state: assumedForms.length === 0 ? 'Confirmed' : `${count(assumedForms.length)} to confirm`,
      href: assumedForms.length === 0 ? to('/settings/accounts') : '#forms-to-confirm',
    },
    {
      name: 'Name and SSN',
      isDone: blank.length === 0,
      state: blank.length === 0 ? 'On the forms' : `${blank.join(' and ')} missing`,
      href: clientId.value === null ? to('/account') : to('/clients', { client: null }),
    },
    {
      name: 'Get the forms',
      isDone: report !== undefined && !report.stale,
      state: report === undefined ? 'Not generated' : report.stale ? 'Out of date' : 'Generated',
      href: to('/forms', { year }),
    },
    {
      name: 'Mark as filed',
      isDone: isLocked,
      state: isLocked ? 'Locked' : 'Locks the year',
      href: to('/forms', { year }),
    },
  ];
  return isLocked ? steps.map((step) => ({ ...step, isDone: true, isDoubtful: false })) : steps;
}

export function formatNames([first, second, ...others]: readonly string[]): string {
  return `${[first, second].filter(Boolean).join(', ')}${others.length === 0 ? '' : ` and ${others.length} more`}`;
}

/** Returns which parts of the taxpayer's name and number the forms leave blank. The demo has no person. */
export function useBlank() {
  const client = useOpenClient().data;
  const isOwn = clientId.value === null;
  const taxpayer = isOwn ? account.value : client;
  if (!taxpayer || account.value?.demo) return { isOwn, name: false, tin: false };
  return { isOwn, name: taxpayer.taxpayerName === '' && taxpayer.name === '', tin: taxpayer.tin === undefined };
}

/** The steps with a ring that shows the way. Each step is one link. */
export function Checklist({ year, steps }: { readonly year: number; readonly steps: readonly YearStep[] | undefined }) {
  if (steps === undefined) return <section class="card aside year-steps" aria-busy />;
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <section class="card aside year-steps" aria-label={`Steps for ${year}`}>
      <h2>
        <svg class="ring" viewBox="0 0 40 40" role="img" aria-label={`${done} of ${steps.length} done`}>
          <circle cx="20" cy="20" r="17" />
          <circle cx="20" cy="20" r="17" pathLength={steps.length} stroke-dasharray={`${done} ${steps.length}`} />
          <text x="20" y="20">
            {done}/{steps.length}
          </text>
        </svg>
        Get {year} ready
      </h2>
      <ol>
        {steps.map(({ name, isDone, isDoubtful = false, state, href }) => (
          <li key={name} class={isDone ? (isDoubtful ? 'done doubtful' : 'done') : undefined}>
            <a href={href}>
              <span class="step-mark">{isDone && <Icon name={isDoubtful ? 'warning' : 'check'} />}</span>
              <span>
                {name}
                <span class="visually-hidden">
                  {isDone ? (isDoubtful ? ', done, check once more:' : ', done:') : ', to do:'}
                </span>
                <span class="fine">{state}</span>
              </span>
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}

type AssumedAccount = YearSummary['assumedForms'][number];
type FormOfAccount = InformationReturn | 'none';

/** Further accounts are collapsed. */
const shownMax = 5;

/** Accounts with an assumed form, with buttons to confirm or change it. */
export function AssumedForms({ summary: { assumedForms, year } }: { readonly summary: YearSummary }) {
  const { act, problem, isBusy } = useAction();
  if (assumedForms.length === 0) return null;
  const state = (account: string, form: FormOfAccount) =>
    act(async () => say(`${account}: ${formSentences[form]}`, await stateForm(account, form)));
  const suggestedFirst = assumedForms.toSorted((a, b) => Number(a.because === null) - Number(b.because === null));
  const items = suggestedFirst.map((assumed) => (
    <AssumedItem key={assumed.account} assumed={assumed} year={year} isBusy={isBusy} onState={state} />
  ));
  const hidden = items.slice(shownMax);
  return (
    <section id="forms-to-confirm" class="notice" aria-label="Forms to confirm" tabIndex={-1}>
      <Icon name="warning" />
      <div>
        <p>
          <strong>Which form did you get?</strong> You haven't told us the form for{' '}
          {items.length === 1 ? 'this account' : `these ${items.length} accounts`}, so we assumed the{' '}
          <HelpTerm entry="account-form">Form 8949 boxes</HelpTerm>.
        </p>
        {problem !== null && <ProblemNotice problem={problem} />}
        <ul class="assumed-forms">{items.slice(0, shownMax)}</ul>
        {hidden.length > 0 && (
          <details>
            <summary>{formatCount(hidden.length, 'more account')}</summary>
            <ul class="assumed-forms">{hidden}</ul>
          </details>
        )}
        <ReadOnlyReason />
      </div>
    </section>
  );
}

interface AssumedItemProps {
  readonly assumed: AssumedAccount;
  readonly year: number;
  readonly isBusy: boolean;
  readonly onState: (account: string, form: FormOfAccount) => Promise<unknown>;
}

function AssumedItem({ assumed, year, isBusy, onState }: AssumedItemProps) {
  const { account, boxes, suggestedForm, mayBeTaxFree } = assumed;
  return (
    <li>
      <div>
        <a href={to('/forms/8949', { year, account })}>{account}</a>
        <p class="fine">
          {boxes.length === 1 ? 'Box' : 'Boxes'} {boxes.join(', ')}: {describeReason(assumed, year)}
        </p>
      </div>
      <OwnBooks>
        <div class="actions">
          {mayBeTaxFree ? (
            <LinkButton label="Set type" href={to('/settings/accounts')} />
          ) : (
            formsInOrder(suggestedForm).map((form) => (
              <Button
                key={form}
                label={labels[form]}
                class={form === suggestedForm ? 'primary' : ''}
                aria-disabled={isBusy}
                aria-label={`${formNames[form]}: ${account}`}
                onClick={() => void onState(account, form)}
              />
            ))
          )}
        </div>
      </OwnBooks>
    </li>
  );
}

/** The suggested form comes first. */
function formsInOrder(suggested: InformationReturn | null): FormOfAccount[] {
  const forms: FormOfAccount[] = ['1099-B', '1099-DA', 'none'];
  return forms.sort((a, b) => Number(b === suggested) - Number(a === suggested));
}

function describeReason({ form, suggestedForm, because, mayBeTaxFree }: AssumedAccount, year: number): string {
  if (mayBeTaxFree) return 'its name suggests it may be tax-free.';
  if (because === 'name') return `no form is assumed, and its name suggests Form ${suggestedForm}.`;
  if (suggestedForm === null) return 'no form is assumed.';
  const evidence = because === 'lines' ? 'its 1099 entries' : 'its source';
  if (form === 'none' && suggestedForm === '1099-DA' && year < 2025)
    return 'sales before 2025 are on no form. This broker sends Form 1099-DA for sales from 2025 on.';
  return form === 'none'
    ? `no form is assumed for these sales. This broker sends Form ${suggestedForm}.`
    : `Form ${form} is assumed from ${evidence}.`;
}

/** Short enough that three buttons fit on a phone. */
const labels = { '1099-B': '1099-B', '1099-DA': '1099-DA', none: 'No form' } as const;
const formSentences = {
  '1099-B': 'Form 1099-B covers its sales.',
  '1099-DA': 'Form 1099-DA covers its sales.',
  none: 'no form was issued.',
} as const;

/** An account without settings becomes a taxable one, which is how it already counts. */
async function stateForm(account: string, form: FormOfAccount): Promise<() => Promise<void>> {
  const { accounts } = await readSettings();
  const stated = accounts[account] === undefined ? { type: 'taxable' as const, form } : { form };
  return saveSettings({ accounts: { [account]: stated } });
}

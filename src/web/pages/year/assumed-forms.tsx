import type { InformationReturn } from '../../../engine/model.ts';
import { to } from '../../api/page-url.ts';
import { readSettings, saveSettings } from '../../api/settings.ts';
import { formatCount } from '../../format/amounts.ts';
import { HelpTerm } from '../../parts/help-term.tsx';
import { Icon } from '../../parts/icon.tsx';
import { OwnBooks, ReadOnlyReason } from '../../parts/own-books.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { say } from '../../parts/toasts.tsx';
import { useAction } from '../../parts/use-action.ts';
import { formNames } from '../settings/names.ts';
import type { YearSummary } from './summary.ts';

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
            <a class="button" href={to('/settings/accounts')}>
              Set type
            </a>
          ) : (
            formsInOrder(suggestedForm).map((form) => (
              <button
                key={form}
                type="button"
                class={form === suggestedForm ? 'primary' : ''}
                aria-disabled={isBusy}
                aria-label={`${formNames[form]}: ${account}`}
                onClick={() => void onState(account, form)}
              >
                {labels[form]}
              </button>
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

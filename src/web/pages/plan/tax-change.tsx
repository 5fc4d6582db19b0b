import { useState } from 'preact/hooks';
import type { FilingStatus } from '../../../forms/report.ts';
import { api, unwrapResponse } from '../../api/api.ts';
import { booksChanged } from '../../api/changes.ts';
import { useResource } from '../../api/resource.ts';
import { formatSentenceCase } from '../../format/words.ts';
import { Money } from '../../parts/amount.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { StackedTable } from '../../parts/tables/stacked-table.tsx';
import { say } from '../../parts/toasts.tsx';
import { useAction } from '../../parts/use-action.ts';
import { readSettings, type TaxChange } from './sale.ts';

/** The federal tax on gains with and without a planned sale, and what the figures omit. */
export function TaxChangeCard({ change }: { readonly change: TaxChange }) {
  const { year, before, after } = change;
  return (
    <section class="card">
      <h2>Federal tax on {year} gains</h2>
      <p>
        <strong class="figure">
          <Money amount={change.change} />
        </strong>{' '}
        {change.change.startsWith('-') ? 'less' : 'more'} tax, {filingNames[change.filingStatus]}, with other taxable
        income of <Money amount={change.otherIncome} />.
      </p>
      <StackedTable
        label={`Tax on ${year} gains`}
        columns={['Gains taxed at', { number: 'Before' }, { number: 'After' }]}
        rows={rows.map(([name, label]) => ({
          key: name,
          name: label,
          cells: [<Money amount={before[name]} />, <Money amount={after[name]} />],
        }))}
      />
      <p>
        Other taxable income changes by <Money amount={change.ordinaryIncomeChange} />. Short-term gains and deducted
        losses are taxed at your ordinary rates, which these figures leave out.
      </p>
      {change.note !== null && <p>{change.note}</p>}
      <p class="fine">
        Not included: {change.leftOut.map((name) => leftOutNames[name]).join(', ')}. Rates: {change.source}.
      </p>
    </section>
  );
}

const rows = [
  ['atZero', '0%'],
  ['atFifteen', '15%'],
  ['atTwenty', '20%'],
  ['tax', 'Tax at these rates'],
  ['investmentTax', 'Net investment income tax, 3.8%'],
] as const;

const filingNames: Readonly<Record<FilingStatus, string>> = {
  single: 'single',
  mfj: 'married filing jointly',
  mfs: 'married filing separately',
  hoh: 'head of household',
  qss: 'qualifying surviving spouse',
};

const leftOutNames: Readonly<Record<TaxChange['leftOut'][number], string>> = {
  ordinary_rates: 'tax at ordinary rates',
  rates_28_and_25: 'the 28% and 25% rates',
  state: 'state tax',
  amt: 'alternative minimum tax',
  phase_outs: 'phase-outs',
  other_investment_income: 'other investment income',
};

/** Asks for the taxable income of a year if it is unknown, and saves it in the settings. */
export function IncomeForm({ year }: { readonly year: number }) {
  const settings = useResource('settings', readSettings).data;
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<FilingStatus | null>(null);
  const { act, problem, isBusy } = useAction();
  if (settings === undefined) return null;
  const isStated = Object.hasOwn(settings.taxableIncome ?? {}, year);
  if (isStated) return <p class="fine">We don't have the tax rates for {year}, so we can't show the tax.</p>;
  const filingStatus = chosen ?? settings.filingStatus;
  const submit = (event: Event) => {
    event.preventDefault();
    void act(async () => {
      await save({ filingStatus, taxableIncome: { [year]: typed } });
      say(`Income of ${year} saved in your settings.`, () =>
        save({ filingStatus: settings.filingStatus, taxableIncome: { [year]: null } }),
      );
    });
  };
  return (
    <form class="card" onSubmit={submit}>
      <h2>How would this change your tax for {year}?</h2>
      <p>
        The tax on gains depends on your other income. We save what you enter in your settings, and also use it for loss
        carryovers.
      </p>
      {problem !== null && <ProblemNotice problem={problem} />}
      <div class="fields">
        <Field
          label={`Taxable income for ${year}`}
          value={typed}
          onInput={setTyped}
          type="money"
          isRequired
          hint="Form 1040, line 15, including the gains above."
        />
        <Choice
          label="Filing status"
          value={filingStatus}
          options={(Object.keys(filingNames) as FilingStatus[]).map((value) => ({
            value,
            label: formatSentenceCase(filingNames[value]),
          }))}
          onChange={setChosen}
          hint="Used for all years."
        />
      </div>
      <OwnBooks isSaid>
        <button type="submit" aria-disabled={isBusy}>
          Calculate tax
        </button>
      </OwnBooks>
    </form>
  );
}

async function save(change: {
  readonly filingStatus: FilingStatus;
  readonly taxableIncome: Readonly<Record<string, string | null>>;
}): Promise<void> {
  await unwrapResponse(api.tax.settings.patch(change));
  booksChanged();
}

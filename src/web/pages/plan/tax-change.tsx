import { useState } from 'preact/hooks';
import type { FilingStatus } from '../../../forms/report.ts';
import { api, got } from '../../api/api.ts';
import { booksChanged } from '../../api/changes.ts';
import { useResource } from '../../api/resource.ts';
import { titled } from '../../format/words.ts';
import { Money } from '../../parts/amount.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { StackedTable } from '../../parts/tables/stacked-table.tsx';
import { say } from '../../parts/toasts.tsx';
import { useAct } from '../../parts/use-act.ts';
import { readSettings, type TaxChange } from './sale.ts';

/** The federal tax on gains without and with a plan, and what the figures do not have in them. */
export function TaxChangeCard({ change }: { readonly change: TaxChange }) {
  const { year, before, after } = change;
  return (
    <section class="card">
      <h2>Federal tax on the gains of {year}</h2>
      <p>
        <strong class="figure">
          <Money amount={change.change} />
        </strong>{' '}
        {change.change.startsWith('-') ? 'less' : 'more'} tax, {filingNames[change.filingStatus]}, with other taxable
        income of <Money amount={change.otherIncome} />.
      </p>
      <StackedTable
        label={`Tax on the gains of ${year}`}
        columns={['Gains taxed at', { number: 'Now' }, { number: 'Then' }]}
        rows={rows.map(([name, label]) => ({
          key: name,
          name: label,
          cells: [<Money amount={before[name]} />, <Money amount={after[name]} />],
        }))}
      />
      <p>
        Other income changes by <Money amount={change.ordinaryIncomeChange} />: short-term gains and deducted losses are
        taxed at your ordinary rates, which are not in these figures.
      </p>
      {change.note !== null && <p>{change.note}</p>}
      <p class="fine">
        Left out: {change.leftOut.map((name) => leftOutNames[name]).join(', ')}. Rates: {change.source}.
      </p>
    </section>
  );
}

const rows = [
  ['atZero', '0 %'],
  ['atFifteen', '15 %'],
  ['atTwenty', '20 %'],
  ['tax', 'Tax at these rates'],
  ['investmentTax', 'Net investment income tax, 3.8 %'],
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
  rates_28_and_25: 'the 28 % and 25 % rates',
  state: 'state tax',
  amt: 'alternative minimum tax',
  phase_outs: 'phase-outs',
  other_investment_income: 'other investment income',
};

/** Asks the income of a year whose tax is not known. It becomes part of the settings. */
export function IncomeForm({ year }: { readonly year: number }) {
  const settings = useResource('settings', readSettings).data;
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<FilingStatus | null>(null);
  const { act, problem, isBusy } = useAct();
  if (settings === undefined) return null;
  const isStated = Object.hasOwn(settings.taxableIncome ?? {}, year);
  if (isStated) return <p class="fine">The rates of {year} are not known, so its tax is not shown.</p>;
  const filingStatus = chosen ?? settings.filingStatus;
  const submit = (event: Event) => {
    event.preventDefault();
    void act(async () => {
      await save({ filingStatus, taxableIncome: { [year]: typed.replaceAll(/[$,\s]/g, '') } });
      say(`The income of ${year} is in your settings.`, () =>
        save({ filingStatus: settings.filingStatus, taxableIncome: { [year]: null } }),
      );
    });
  };
  return (
    <form class="card" onSubmit={submit}>
      <h2>What would it do to the tax of {year}?</h2>
      <p>
        The tax on gains depends on the rest of your income. What you state is kept in your settings; the carryover of
        losses counts with it too.
      </p>
      {problem !== null && <ProblemNotice problem={problem} />}
      <div class="fields">
        <Field
          label={`Taxable income of ${year}`}
          value={typed}
          onInput={setTyped}
          inputMode="decimal"
          isRequired
          hint="Form 1040, line 15, with the gains that your books have now."
        />
        <Choice
          label="Filing status"
          value={filingStatus}
          options={(Object.keys(filingNames) as FilingStatus[]).map((value) => ({
            value,
            label: titled(filingNames[value]),
          }))}
          onChange={setChosen}
          hint="Of every year."
        />
      </div>
      <OwnBooks isSaid>
        <button type="submit" disabled={isBusy}>
          Show the tax
        </button>
      </OwnBooks>
    </form>
  );
}

async function save(change: {
  readonly filingStatus: FilingStatus;
  readonly taxableIncome: Readonly<Record<string, string | null>>;
}): Promise<void> {
  await got(api.tax.settings.patch(change));
  booksChanged();
}

import { saveSettings, useSettings } from '../../api/settings.ts';
import { Money } from '../../parts/amount.tsx';
import { Form } from '../../parts/form.tsx';
import { Card } from '../../parts/page.tsx';
import { Table } from '../../parts/tables/table.tsx';
import { say } from '../../parts/toasts.tsx';
import { filingStatusNames, toOptions } from '../settings/names.ts';
import type { TaxChange } from './sale-form.tsx';

/** The federal tax on gains with and without a planned sale, and what the figures omit. */
export function TaxChangeCard({ change }: { readonly change: TaxChange }) {
  const { year, before, after } = change;
  return (
    <Card title={`Federal tax on ${year} gains`}>
      <p>
        <strong class="figure">
          <Money amount={change.change} />
        </strong>{' '}
        {change.change.startsWith('-') ? 'less' : 'more'} tax, {filingStatusNames[change.filingStatus].toLowerCase()},
        with other taxable income of <Money amount={change.otherIncome} />.
      </p>
      <Table
        label={`Tax on ${year} gains`}
        rows={rows}
        keyOf={([name]) => name}
        columns={[
          { head: 'Gains taxed at', cell: ([, label]) => label },
          { head: 'Before', kind: 'number', cell: ([name]) => <Money amount={before[name]} /> },
          { head: 'After', kind: 'number', cell: ([name]) => <Money amount={after[name]} /> },
        ]}
      />
      <p>
        Other taxable income changes by <Money amount={change.ordinaryIncomeChange} />. Short-term gains and deducted
        losses are taxed at your ordinary rates, which these figures leave out.
      </p>
      {change.note !== null && <p>{change.note}</p>}
      <p class="fine">
        Not included: {change.leftOut.map((name) => leftOutNames[name]).join(', ')}. Rates: {change.source}.
      </p>
    </Card>
  );
}

const rows = [
  ['atZero', '0%'],
  ['atFifteen', '15%'],
  ['atTwenty', '20%'],
  ['tax', 'Tax at these rates'],
  ['investmentTax', 'Net investment income tax, 3.8%'],
] as const;

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
  const settings = useSettings().data;
  if (settings === undefined) return null;
  const isStated = Object.hasOwn(settings.taxableIncome ?? {}, year);
  if (isStated) return <p class="fine">We don't have the tax rates for {year}, so we can't show the tax.</p>;
  return (
    <Form
      class="card"
      title={`How would this change your tax for ${year}?`}
      lead={
        <p>
          The tax on gains depends on your other income. We save what you enter in your settings, and also use it for
          loss carryovers.
        </p>
      }
      fields={{
        income: {
          label: `Taxable income for ${year}`,
          type: 'money',
          isRequired: true,
          hint: 'Form 1040, line 15, including the gains above.',
        },
        filingStatus: {
          label: 'Filing status',
          value: settings.filingStatus,
          options: toOptions(filingStatusNames),
          hint: 'Used for all years.',
        },
      }}
      look=""
      verb="Calculate tax"
      keeps
      onSubmit={async ({ income, filingStatus }) => {
        const undo = await saveSettings({ filingStatus, taxableIncome: { [year]: income } });
        say(`Income of ${year} saved in your settings.`, undo);
      }}
    />
  );
}

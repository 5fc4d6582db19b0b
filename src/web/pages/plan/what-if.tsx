import { useLocation } from 'preact-iso';
import { useApi } from '../../api/api.ts';
import { to } from '../../api/page-url.ts';
import { saveSettings, useSettings } from '../../api/settings.ts';
import { useYears } from '../../api/tax-year.ts';
import { say } from '../../api/toasts.ts';
import { type DecimalText, isZero, quantity, sumMoney } from '../../format/amounts.ts';
import { acquiredDay, day, withDays } from '../../format/dates.ts';
import { entryOfMethod } from '../../format/help-entries.ts';
import { accountName, methodNames, termName } from '../../format/methods.ts';
import { smallestAt } from '../../format/scale.ts';
import { Money, Quantity } from '../../parts/amount.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { toOptions } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { HelpTerm } from '../../parts/help-term.tsx';
import { Card, Notice, ResourceView } from '../../parts/page.tsx';
import { Table } from '../../parts/tables/table.tsx';
import { YearsPreview } from '../../parts/years-preview.tsx';
import { filingStatusNames } from '../settings/names.ts';
import {
  isComplete,
  type PlannedSale,
  previewSale,
  readPlannedSale,
  type SalePreview,
  type TaxChange,
  useMethodInForce,
} from './sale-form.tsx';

/** The effect of the planned sale in the URL. Nothing is saved. */
export function WhatIfResult() {
  const { query } = useLocation();
  const sale = readPlannedSale(query);
  const tried = useApi(isComplete(sale) ? `what-if ${JSON.stringify(sale)}` : null, () => previewSale(sale));
  if (!isComplete(sale)) return null;
  return <ResourceView reading={tried}>{(preview) => <PreviewedMethod answer={preview} sale={sale} />}</ResourceView>;
}

function PreviewedMethod({ answer, sale }: SaleResult) {
  const years = useYears().data?.data ?? [];
  const stored = (year: number) => {
    const stored = years.find((each) => each.year === year);
    if (stored === undefined) return null;
    const { gain, shortTermGain, longTermGain, washSaleDisallowed } = stored;
    return {
      ...{ total: { gain }, shortTerm: { gain: shortTermGain }, longTerm: { gain: longTermGain } },
      washSaleDisallowed,
    };
  };
  const tried = answer.years.map(({ year, total, shortTerm, longTerm, washSaleDisallowed }) => ({
    ...{ year, before: stored(year) },
    after: { total, shortTerm, longTerm, washSaleDisallowed },
  }));
  const untaxed = answer.years.map(({ year }) => year).filter((year) => !answer.taxes.some((tax) => tax.year === year));
  return (
    <>
      <SaleInWords answer={answer} />
      <Recommendation answer={answer} sale={sale} />
      <Card title="Compare methods">
        <MethodTable answer={answer} chosen={sale.method} />
      </Card>
      <Card title="Lots sold">
        <SoldLots disposals={answer.disposals} />
      </Card>
      <Card title="Your tax years">
        <YearsPreview years={tried} />
      </Card>
      {answer.taxes.map((tax) => (
        <TaxChangeCard key={tax.year} change={tax} />
      ))}
      {untaxed.map((year) => (
        <IncomeForm key={year} year={year} />
      ))}
    </>
  );
}

/** Describes the planned sale: what is sold, how it is valued, and warnings about missing data. */
function SaleInWords({ answer: { sales, issues } }: { readonly answer: SalePreview }) {
  return (
    <div class="plan-words">
      {sales.map(({ id, asset, account, date, quantity, amount, valuedBy, held, oversold }) => (
        <div key={id}>
          <p>
            <Quantity amount={quantity} /> {asset} in {accountName(account)}, sold on {day(date)} for{' '}
            <strong>
              <Money amount={amount} />
            </strong>
            {valuedBy !== null &&
              ` (valued at the price ${valuedBy.source === 'price' ? 'on' : 'of your last trade on'} ${day(valuedBy.date)})`}
            .
          </p>
          {!isZero(oversold) && (
            <Notice>
              You will hold only <Quantity amount={held} /> {asset} on that date. The cost of the other{' '}
              <Quantity amount={oversold} /> is unknown, so we use $0.
            </Notice>
          )}
        </div>
      ))}
      {issues
        .filter(({ kind }) => kind !== 'oversold')
        .map(({ kind, asset, detail }) => (
          <Notice key={`${kind} ${asset}`}>{withDays(detail)}</Notice>
        ))}
      {sales.length > 0 && (
        <p class="fine">
          This is only a preview. After you sell, <a href={to('/import')}>import the trade</a>.
        </p>
      )}
    </div>
  );
}

interface MethodTableProps {
  readonly answer: SalePreview;
  /** Empty for the method in effect. */
  readonly chosen: string;
}

/** Compares the sale under each lot method. Clicking a method shows the lots that it selects. */
function MethodTable({ answer, chosen }: MethodTableProps) {
  const { query } = useLocation();
  const inForce = useMethodInForce(answer);
  const shown = chosen === '' ? inForce : chosen;
  const least = smallestAt(answer.comparison.map(({ gain }) => gain));
  const differ = new Set(answer.comparison.map(({ gain }) => gain)).size > 1;
  return (
    <>
      <Table
        label="Compare methods"
        class="methods"
        rows={answer.comparison}
        keyOf={({ method }) => method}
        isCurrent={({ method }) => method === shown}
        columns={[
          {
            head: 'Lot method',
            cell: ({ method }) => (
              <a href={to('/planning', { ...query, method: method === inForce ? null : method })}>
                {methodNames[method]}
              </a>
            ),
            note: (row) => (
              <>
                <HelpTerm entry={entryOfMethod[row.method] ?? 'lot-method'}>{row.method}</HelpTerm>
                {row.method === inForce && ', your method'}
                {row === answer.comparison[least] && differ && ', lowest gain'}
              </>
            ),
          },
          { head: 'Cost basis', kind: 'money', isSpare: true, cell: ({ basis }) => basis },
          {
            head: 'Gain',
            kind: 'gain',
            sort: ({ gain }) => gain,
            cell: ({ gain, shortTermGain, longTermGain, adjustment }) => (
              <>
                <strong>
                  <Money amount={gain} signed />
                </strong>
                <Parts short={shortTermGain} long={longTermGain} />
                {!isZero(adjustment) && (
                  <p class="fine">
                    <Money amount={adjustment} /> disallowed
                  </p>
                )}
              </>
            ),
          },
          { head: 'Short-term', kind: 'gain', isSpare: true, cell: ({ shortTermGain }) => shortTermGain },
          { head: 'Long-term', kind: 'gain', isSpare: true, cell: ({ longTermGain }) => longTermGain },
          {
            head: 'Year total after',
            kind: 'number',
            cell: ({ years }) =>
              years.map(({ year, gain }) => (
                <p key={year} class="plain-line">
                  {years.length > 1 && `${year}: `}
                  <Money amount={gain} signed />
                </p>
              )),
          },
        ]}
      />
      <p class="fine">
        To use another method, instruct your broker which lots to sell before the trade settles (26 CFR 1.1012-1(c)).{' '}
        <HelpTerm entry="specific-identification">Learn more</HelpTerm>
      </p>
    </>
  );
}

/** The short-term and long-term parts, for phones, which hide those columns. */
function Parts({ short, long }: { readonly short: DecimalText; readonly long: DecimalText }) {
  return (
    <div class="fine on-phone">
      {!isZero(short) && <p class="plain-line">{!isZero(long) && <Money amount={short} />} short-term</p>}
      {!isZero(long) && <p class="plain-line">{!isZero(short) && <Money amount={long} />} long-term</p>}
    </div>
  );
}

interface SaleResult {
  readonly answer: SalePreview;
  readonly sale: PlannedSale;
}

/** The lot method with the lowest gain in one sentence, with its lots as a text for the broker. */
function Recommendation({ answer, sale }: SaleResult) {
  const inForce = useMethodInForce(answer);
  const { comparison } = answer;
  const best = comparison[smallestAt(comparison.map(({ gain }) => gain))];
  const current = comparison.find(({ method }) => method === inForce);
  const isBest = best === undefined || current === undefined || best.gain === current.gain;
  const method = isBest ? inForce : best.method;
  const request = { ...sale, method: method === inForce ? '' : method };
  const chosen = useApi(`what-if ${JSON.stringify(request)}`, () => previewSale(request)).data;
  if (best === undefined || current === undefined) return null;
  // Brokers sell first in, first out without instructions, and an average basis identifies no lots.
  const needsText = method !== 'AVERAGE' && (method !== 'FIFO' || inForce !== 'FIFO');
  return (
    <Card title="Which lots to sell">
      {isBest ? (
        <p>
          No other lot method has a lower gain than your method, {methodNames[method]}: <Money amount={best.gain} />.
        </p>
      ) : (
        <p>
          <a href={to('/planning', { ...request })}>{methodNames[method]}</a> has the lowest gain:{' '}
          <Money amount={best.gain} />, which is <Money amount={sumMoney([current.gain, `-${best.gain}`])} /> less than
          with your method, {methodNames[inForce]}.
        </p>
      )}
      {chosen !== undefined && chosen.disposals.length > 0 && needsText && (
        <>
          <p>To sell these lots, send this text to your broker before the trade settles:</p>
          <CopyText text={buildInstruction(chosen)} what="Text" />
        </>
      )}
    </Card>
  );
}

/** Identifies the lots of a planned sale by quantity and date of purchase. */
function buildInstruction({ sales, disposals }: SalePreview): string {
  const [sale] = sales;
  if (sale === undefined) return '';
  const lots = disposals.map(
    ({ quantity: units, acquired }) =>
      `${quantity(units)} ${acquired === null ? 'with no known purchase date' : `acquired ${day(acquired)}`}`,
  );
  const rule = sale.assetClass === 'crypto' || sale.assetClass === 'nft' ? '1.1012-1(j)' : '1.1012-1(c)';
  return [
    `Please sell ${quantity(sale.quantity)} ${sale.asset} in my account ${sale.account} from these lots: ${lots.join('; ')}.`,
    `This is an identification under 26 CFR ${rule}. Please confirm it in writing.`,
  ].join(' ');
}

/** The Form 8949 entries of a planned sale. */
function SoldLots({ disposals }: Pick<SalePreview, 'disposals'>) {
  return (
    <Table
      label="Lots sold"
      rows={disposals}
      empty={<p>No Form 8949 entry, because gains in this account are not taxed.</p>}
      columns={[
        { head: 'Acquired', cell: ({ acquired }) => acquiredDay(acquired) },
        { head: 'Quantity', kind: 'quantity', cell: ({ quantity }) => quantity },
        { head: 'Proceeds', kind: 'money', cell: ({ proceeds }) => proceeds },
        { head: 'Cost basis', kind: 'money', cell: ({ basis }) => basis },
        {
          head: 'Gain',
          kind: 'gain',
          cell: ({ gain }) => gain,
          note: ({ adjustment }) =>
            !isZero(adjustment) && (
              <>
                wash sale: <Money amount={adjustment} /> disallowed
              </>
            ),
        },
        { head: 'Term', cell: ({ term }) => termName(term) },
      ]}
    />
  );
}

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

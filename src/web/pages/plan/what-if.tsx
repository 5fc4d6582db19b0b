import { useLocation } from 'preact-iso';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { useYears } from '../../api/tax-year.ts';
import { accountName } from '../../format/account-names.ts';
import { isZero } from '../../format/amounts.ts';
import { day, withDays } from '../../format/dates.ts';
import { Money, Quantity } from '../../parts/amount.tsx';
import { Notice } from '../../parts/notice.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { YearsPreview } from '../../parts/years-preview.tsx';
import { MethodTable } from './method-table.tsx';
import { Recommendation, type SaleResult } from './recommendation.tsx';
import { isComplete, previewSale, readPlannedSale, type SalePreview } from './sale.ts';
import { SoldLots } from './sold-lots.tsx';
import { IncomeForm, TaxChangeCard } from './tax-change.tsx';

/** The effect of the planned sale in the URL. Nothing is saved. */
export function WhatIfResult() {
  const { query } = useLocation();
  const sale = readPlannedSale(query);
  const tried = useResource(isComplete(sale) ? `what-if ${JSON.stringify(sale)}` : null, () => previewSale(sale));
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
      <section class="card">
        <h2>Compare methods</h2>
        <MethodTable answer={answer} chosen={sale.method} />
      </section>
      <section class="card">
        <h2>Lots sold</h2>
        <SoldLots disposals={answer.disposals} />
      </section>
      <section class="card">
        <h2>Your tax years</h2>
        <YearsPreview years={tried} />
      </section>
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
              <p>
                You will hold only <Quantity amount={held} /> {asset} on that date. The cost of the other{' '}
                <Quantity amount={oversold} /> is unknown, so we use $0.
              </p>
            </Notice>
          )}
        </div>
      ))}
      {issues
        .filter(({ kind }) => kind !== 'oversold')
        .map(({ kind, asset, detail }) => (
          <Notice key={`${kind} ${asset}`}>
            <p>{withDays(detail)}</p>
          </Notice>
        ))}
      {sales.length > 0 && (
        <p class="fine">
          This is only a preview. After you sell, <a href={to('/import')}>import the trade</a>.
        </p>
      )}
    </div>
  );
}

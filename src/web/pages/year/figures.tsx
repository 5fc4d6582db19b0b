import type { ComponentChildren } from 'preact';
import { to } from '../../api/page-url.ts';
import { useYears } from '../../api/tax-year.ts';
import { formatCount, isNegative, isZero } from '../../format/amounts.ts';
import { Money } from '../../parts/amount.tsx';
import { Icon } from '../../parts/button.tsx';
import { HelpTerm } from '../../parts/help-term.tsx';
import { filingStatusNames } from '../settings/names.ts';
import type { YearSummary } from './summary.ts';

interface SummaryProps {
  readonly summary: YearSummary;
}

/** The net gain, whether it is a draft, and what it depends on. */
export function Headline({ summary, isFiled }: SummaryProps & { readonly isFiled: boolean }) {
  const { year, total, missingBasis, issues } = summary;
  const before = useYearBefore(year);
  return (
    <section class="card headline">
      <h2 class="figure-name">
        <HelpTerm entry="net-gain">Net gain</HelpTerm>
      </h2>
      <p>
        <a class="figure" href={to('/forms/8949', { year })}>
          <Money amount={total.gain} signed />
        </a>{' '}
        {issues > 0 && (
          <span class="badge word">
            <HelpTerm entry="draft">Draft</HelpTerm>
          </span>
        )}
      </p>
      {missingBasis.count > 0 && (
        <p>
          <Money amount={missingBasis.gain} /> of this depends on{' '}
          <HelpTerm entry="missing-basis">missing cost basis</HelpTerm> (
          {formatCount(missingBasis.count, 'entry', 'entries')}). <a href={to('/review', { year })}>Enter cost basis</a>
          .
        </p>
      )}
      {isFiled && (
        <p class="ready">
          <Icon name="lock" /> All done: {year} is marked as filed and locked.
        </p>
      )}
      <p class="fine">
        Proceeds <Money amount={total.proceeds} />, cost basis <Money amount={total.basis} />
        {before !== undefined && (
          <>
            {' '}
            · {year - 1}: <Money amount={before.gain} />
          </>
        )}
      </p>
    </section>
  );
}

/** The figures of the year. Each links to its details, and the gains state those of the previous year. */
export function Figures({ summary }: SummaryProps) {
  const { year, shortTerm, longTerm, washSaleDisallowed, contracts1256, carryover } = summary;
  const before = useYearBefore(year);
  const lines = (query: Record<string, string>) => to('/forms/8949', { year, ...query });
  const gains = [
    { label: 'Short-term', entry: 'short-term', totals: shortTerm, term: 'short', last: before?.shortTermGain },
    { label: 'Long-term', entry: 'long-term', totals: longTerm, term: 'long', last: before?.longTermGain },
  ] as const;
  return (
    <div class="cards figures">
      {gains.map(({ label, entry, totals, term, last }) => (
        <Figure key={term} label={label} entry={entry} amount={totals.gain} href={lines({ term })}>
          {last === undefined ? (
            formatCount(totals.count, 'entry', 'entries')
          ) : (
            <>
              {year - 1}: <Money amount={last} />
            </>
          )}
        </Figure>
      ))}
      <TaxEstimate summary={summary} />
      {!isZero(washSaleDisallowed) && (
        <Figure label="Wash sales" entry="wash-sale" amount={washSaleDisallowed} href={lines({ code: 'W' })}>
          Disallowed
        </Figure>
      )}
      {contracts1256.count > 0 && (
        <Figure label="Section 1256" entry="section-1256" amount={contracts1256.gain} href={to('/forms', { year })}>
          Form 6781, not included above
        </Figure>
      )}
      {!isZero(carryover.deductible) && (
        <Figure label="Deductible loss" entry="loss-limit" amount={carryover.deductible} href={to('/forms', { year })}>
          Against other income in {year}
        </Figure>
      )}
      <Carried title={`Carryover to ${year + 1}`} amounts={carryover.out} />
      <Carried title={`Carryover from ${year - 1}`} amounts={carryover.in} />
    </div>
  );
}

const useYearBefore = (year: number) => useYears().data?.data.find((each) => each.year === year - 1);

interface FigureProps {
  readonly label: string;
  /** The help entry of the label. */
  readonly entry: string;
  readonly amount?: string;
  readonly href: string;
  readonly children: ComponentChildren;
}

function Figure({ label, entry, amount, href, children }: FigureProps) {
  return (
    <section class="card">
      <h2 class="figure-name">
        <HelpTerm entry={entry}>{label}</HelpTerm>
      </h2>
      {amount !== undefined && (
        <a class="figure" href={href}>
          <Money amount={amount} signed />
        </a>
      )}
      <p class="fine">{children}</p>
    </section>
  );
}

/** The federal tax on the gains, or which settings it needs. Nothing is assumed. */
function TaxEstimate({ summary: { year, taxEstimate, taxEstimateNeeds } }: SummaryProps) {
  if (taxEstimateNeeds.includes('rates')) return null;
  const href = to('/settings/years');
  if (taxEstimate === null) {
    return (
      <Figure label="Tax estimate" entry="tax-estimate" href={href}>
        <a href={href}>Add your {taxEstimateNeeds.map((need) => needNames[need]).join(' and ')}</a> for {year} to see
        it.
      </Figure>
    );
  }
  const { total, ordinaryIncome, filingStatus, ratesYear } = taxEstimate;
  return (
    <Figure label="Tax estimate" entry="tax-estimate" amount={total} href={href}>
      Federal, {filingStatusNames[filingStatus].toLowerCase()}
      {ratesYear !== year && `, ${ratesYear} rates`}.{' '}
      {isNegative(ordinaryIncome) && (
        <>
          Your loss reduces other income by <Money amount={ordinaryIncome.slice(1)} />.
        </>
      )}
      {!isNegative(ordinaryIncome) && !isZero(ordinaryIncome) && (
        <>
          Plus ordinary tax on <Money amount={ordinaryIncome} />.
        </>
      )}
    </Figure>
  );
}

const needNames = { filing_status: 'filing status', taxable_income: 'taxable income', rates: 'rates' } as const;

function Carried({ title, amounts }: { readonly title: string; readonly amounts: YearSummary['carryover']['in'] }) {
  if (isZero(amounts.short) && isZero(amounts.long)) return null;
  return (
    <section class="card">
      <h2 class="figure-name">
        <HelpTerm entry="loss-carryover">{title}</HelpTerm>
      </h2>
      <p>
        <Money amount={amounts.short} /> short-term
        <br />
        <Money amount={amounts.long} /> long-term
      </p>
    </section>
  );
}

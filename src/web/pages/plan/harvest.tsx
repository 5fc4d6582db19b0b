import { useState } from 'preact/hooks';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { formatCount } from '../../format/amounts.ts';
import { day } from '../../format/dates.ts';
import { Money } from '../../parts/amount.tsx';
import { HelpTerm } from '../../parts/help-term.tsx';
import { Notice } from '../../parts/notice.tsx';
import { PriceForm } from '../../parts/prices/price-form.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { PriceDates } from '../lots/price-dates.tsx';
import { LosingLots } from './losing-lots.tsx';
import { type HarvestResponse, readHarvest } from './sale.ts';
import { IncomeForm, TaxChangeCard } from './tax-change.tsx';

/** Losses that could be harvested now, with the wash sale risk of each. */
export function HarvestView() {
  const [limit, setLimit] = useState(50);
  const harvest = useResource(`harvest ${limit}`, () => readHarvest(limit));
  return (
    <ResourceView reading={harvest}>
      {(harvest) => (
        <>
          <p>
            As of {day(harvest.asOf)}. A sale by {day(harvest.lastDay)} counts for {harvest.year}.{' '}
            <PriceDates data={harvest.data} asOf={harvest.asOf} of="lot" />
          </p>
          <HarvestTotals answer={harvest} />
          {harvest.losses.lots > 0 &&
            (harvest.tax === null ? (
              <IncomeForm year={harvest.year} />
            ) : (
              <>
                <p>
                  If you sold all of them with no <HelpTerm entry="wash-sale">wash sales</HelpTerm>:
                </p>
                <TaxChangeCard change={harvest.tax} />
              </>
            ))}
          <Unvalued answer={harvest} />
          {harvest.losses.lots === 0 ? (
            <section class="card">
              <h2>No losses to harvest</h2>
              <p>
                Every lot with a known price is worth at least its cost basis.{' '}
                <a href={to('/holdings')}>View your holdings</a>.
              </p>
            </section>
          ) : (
            <section class="card">
              <h2>
                <HelpTerm entry="tax-loss-harvesting">Lots below cost</HelpTerm>
              </h2>
              <LosingLots answer={harvest} />
              {harvest.hasMore && limit < 1000 && (
                <button type="button" onClick={() => setLimit(1000)}>
                  Show more
                </button>
              )}
            </section>
          )}
        </>
      )}
    </ResourceView>
  );
}

function HarvestTotals({ answer: { realized, losses, year } }: { readonly answer: HarvestResponse }) {
  return (
    <dl class="totals">
      {[
        { name: `Gain of ${year} so far`, amount: realized.gain },
        { name: 'Short-term losses available', amount: losses.short },
        { name: 'Long-term losses available', amount: losses.long },
      ].map(({ name, amount }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Money amount={amount} signed />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Asks for missing prices, once per asset. */
function Unvalued({ answer: { losses, data, asOf } }: { readonly answer: HarvestResponse }) {
  if (losses.unvalued === 0) return null;
  const assets = [...new Set(data.filter(({ value }) => value === null).map(({ asset }) => asset))];
  return (
    <Notice>
      <p>
        {formatCount(losses.unvalued, 'lot')} {losses.unvalued === 1 ? 'has' : 'have'} no known value and may have a
        loss.
      </p>
      {assets.slice(0, 5).map((asset) => (
        <PriceForm key={asset} asset={asset} date={asOf} />
      ))}
    </Notice>
  );
}

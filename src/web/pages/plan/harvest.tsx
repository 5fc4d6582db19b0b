import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, useApi } from '../../api/api.ts';
import { to } from '../../api/page-url.ts';
import { type DecimalText, formatCount, isZero, scaled, sumMoney } from '../../format/amounts.ts';
import { acquiredDay, day } from '../../format/dates.ts';
import { accountName, termNames } from '../../format/methods.ts';
import { Money, MoneyOrUnknown, Quantity, Totals } from '../../parts/amount.tsx';
import { Button } from '../../parts/button.tsx';
import { FilterChoice } from '../../parts/filters.tsx';
import { HelpTerm } from '../../parts/help-term.tsx';
import { Card, Notice, ResourceView } from '../../parts/page.tsx';
import { PriceDates, PriceForm, UnitPrice } from '../../parts/prices/unit-value.tsx';
import { Table } from '../../parts/tables/table.tsx';
import type { HarvestResponse, LosingLot } from './sale-form.tsx';
import { IncomeForm, TaxChangeCard } from './what-if.tsx';

/** Losses that could be harvested now, with the wash sale risk of each. */
export function HarvestView() {
  const [limit, setLimit] = useState(50);
  const harvest = useApi(`harvest ${limit}`, () => api.tax.harvest.get({ query: { limit } }));
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
            <Card title="No losses to harvest">
              <p>
                Every lot with a known price is worth at least its cost basis.{' '}
                <a href={to('/holdings')}>View your holdings</a>.
              </p>
            </Card>
          ) : (
            <Card title={<HelpTerm entry="tax-loss-harvesting">Lots below cost</HelpTerm>}>
              <LosingLots answer={harvest} />
              {harvest.hasMore && limit < 1000 && <Button label="Show more" onClick={() => setLimit(1000)} />}
            </Card>
          )}
        </>
      )}
    </ResourceView>
  );
}

function HarvestTotals({ answer: { realized, losses, year } }: { readonly answer: HarvestResponse }) {
  return (
    <Totals
      items={[
        { name: `Gain of ${year} so far`, value: <Money amount={realized.gain} signed /> },
        { name: 'Short-term losses available', value: <Money amount={losses.short} signed /> },
        { name: 'Long-term losses available', value: <Money amount={losses.long} signed /> },
      ]}
    />
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

const sorts = [
  { value: 'loss', label: 'Largest loss', of: ({ gain }: LosingLot) => scaled(gain ?? '0') },
  { value: 'counted', label: 'Largest loss that counts today', of: (lot: LosingLot) => scaled(countedLoss(lot)) },
  { value: 'price', label: 'Oldest price', of: ({ valuedBy }: LosingLot) => valuedBy?.date ?? '' },
  { value: 'asset', label: 'Asset', of: ({ asset }: LosingLot) => asset },
] as const;

/** Lots with a loss, each with its wash sale risk. The sum of selected lots is shown below. */
function LosingLots({ answer: { data, asOf } }: { readonly answer: HarvestResponse }) {
  const { query } = useLocation();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { of: value } = sorts.find((sort) => sort.value === query.sort) ?? sorts[0];
  const lots = data
    .filter((lot) => lot.value !== null)
    .toSorted((a, b) => (value(a) === value(b) ? 0 : value(a) < value(b) ? -1 : 1));
  return (
    <>
      <div class="filters compact">
        <FilterChoice name="sort" label="Sort by" options={sorts} />
      </div>
      <Table
        label="Lots below cost"
        class="losing"
        rows={lots}
        keyOf={({ lotId }) => lotId}
        columns={[
          {
            head: 'Lot',
            cell: (lot) => (
              <LotName
                {...{ lot, asOf, isSelected: selected.has(lot.lotId) }}
                onSelect={() => setSelected(selected.symmetricDifference(new Set([lot.lotId])))}
              />
            ),
          },
          { head: 'Cost basis', kind: 'number', cell: ({ basis }) => <Money amount={basis} /> },
          { head: 'Price', kind: 'number', cell: ({ valuedBy }) => <UnitPrice by={valuedBy} asOf={asOf} /> },
          { head: 'Loss', kind: 'number', cell: ({ gain }) => <MoneyOrUnknown amount={gain} signed /> },
          { head: 'Counts today', kind: 'number', cell: (lot) => <Money amount={countedLoss(lot)} signed /> },
          { head: 'Wash sale', cell: ({ wash }) => <WashRisk wash={wash} /> },
        ]}
      />
      <SelectedSum lots={lots.filter(({ lotId }) => selected.has(lotId))} onClear={() => setSelected(new Set())} />
    </>
  );
}

/** The part of a loss that recent purchases would not disallow, as a negative amount. */
const countedLoss = ({ gain, wash }: LosingLot): DecimalText => sumMoney([gain ?? '0', wash.denied]);

function SelectedSum({ lots, onClear }: { readonly lots: readonly LosingLot[]; readonly onClear: () => void }) {
  if (lots.length === 0) return null;
  const inTerm = (term: 'short' | 'long') => sumMoney(lots.filter((lot) => lot.term === term).map(countedLoss));
  return (
    <section class="selection-bar" aria-label="Selected lots">
      <p class="plain-line" role="status">
        <strong>{formatCount(lots.length, 'lot')} selected</strong>: <Money amount={sumMoney(lots.map(countedLoss))} />{' '}
        counts today, <Money amount={inTerm('short')} /> short-term and <Money amount={inTerm('long')} /> long-term.
      </p>
      <Button label="Clear" class="plain" onClick={onClear} />
    </section>
  );
}

interface LotNameProps {
  readonly lot: LosingLot;
  readonly asOf: string;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}

function LotName({ lot, asOf, isSelected, onSelect }: LotNameProps) {
  const { asset, assetName, assetClass, account, quantity, acquired, term, daysToLongTerm, valuedBy } = lot;
  const plan = { asset, class: assetClass, account, quantity, price: valuedBy?.unit, date: asOf };
  return (
    <>
      <input
        type="checkbox"
        checked={isSelected}
        onChange={onSelect}
        aria-label={`Select ${asset} acquired ${acquiredDay(acquired)}`}
      />{' '}
      <a href={to('/planning', plan)}>
        <Quantity amount={quantity} /> {asset}
      </a>
      {assetName !== undefined && (
        <p class="held-name" title={assetName}>
          {assetName}
        </p>
      )}
      <p class="fine">
        {accountName(account)}, acquired {acquired === null ? 'on an unknown date' : day(acquired)}
      </p>
      <p class="fine">
        {term === null ? 'term unknown' : termNames[term]}
        {daysToLongTerm !== null && daysToLongTerm > 0 && `, long-term in ${formatCount(daysToLongTerm, 'day')}`}
      </p>
    </>
  );
}

/** Earlier purchases that would disallow the loss, and the date until which not to buy again. */
function WashRisk({ wash }: Pick<LosingLot, 'wash'>) {
  if (!wash.applies) return <p class="fine">The wash sale rule does not apply.</p>;
  return (
    <>
      {isZero(wash.denied) ? (
        <p>No purchase in the last 30 days affects this loss.</p>
      ) : (
        <>
          <p>
            <strong>
              <Money amount={wash.denied} /> would be disallowed
            </strong>{' '}
            today, because of <Quantity amount={wash.washed} /> bought recently:
          </p>
          <ul class="fine">
            {wash.purchases.map(({ transactionId, date, account, quantity, asset }) => (
              <li key={transactionId}>
                <a href={to('/transactions', { ids: transactionId })}>
                  <Quantity amount={quantity} /> {asset}
                </a>{' '}
                on {day(date)}, {account}
              </li>
            ))}
          </ul>
          {wash.safeToSellOn !== null && (
            <p class="fine">Sell on {day(wash.safeToSellOn)} or later to keep the loss.</p>
          )}
        </>
      )}
      {wash.safeToRebuyOn !== null && (
        <p class="fine">If you sell today, buy again on {day(wash.safeToRebuyOn)} or later.</p>
      )}
    </>
  );
}

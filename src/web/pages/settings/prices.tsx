import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, unwrapResponse } from '../../api/api.ts';
import { booksChanged } from '../../api/changes.ts';
import { to, withClient } from '../../api/page-url.ts';
import { savePrice } from '../../api/prices.ts';
import { useResource } from '../../api/resource.ts';
import { day, withFormats } from '../../format/dates.ts';
import { Price } from '../../parts/amount.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { readNeededPrices } from '../../parts/prices/needed.ts';
import { PriceForm } from '../../parts/prices/price-form.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { StackedTable } from '../../parts/tables/stacked-table.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';
import { CsvUpload } from './csv-upload.tsx';
import { RemoveButton } from './remove-button.tsx';

type PriceItem = Awaited<ReturnType<typeof readPrices>>['data'][number];
type PriceOrigin = 'own' | 'shared';

function readPrices(asset: string, source: PriceOrigin | undefined, limit: number) {
  const query = { limit, ...(asset === '' ? {} : { asset }), ...(source === undefined ? {} : { source }) };
  return unwrapResponse(api.prices.get({ query }));
}

/** Prices used if a row has no dollar value. */
export function Prices() {
  return (
    <>
      <NeededPrices />
      <section class="card">
        <h2>Prices</h2>
        <div class="cards">
          <div>
            <h3>Enter one</h3>
            <PriceForm class="" />
          </div>
          <div>
            <h3>Upload prices</h3>
            <p>Download the list of missing prices, fill in the usd column, and upload it.</p>
            <p>
              <a class="button" download href={withClient(new URL('/v1/prices/needed', location.origin)).href}>
                <Icon name="prices" /> Missing prices
              </a>
            </p>
            <CsvUpload
              label="Upload prices"
              hint="A CSV with the columns date, asset and usd (price per unit)."
              path="/v1/prices"
            />
          </div>
        </div>
      </section>
      <PriceList />
    </>
  );
}

/** The prices that would value rows without a dollar amount, each with a form. */
function NeededPrices() {
  const [shown, setShown] = useState(neededAtFirst);
  const { query } = useLocation();
  const back = query.back === 'review' && (
    <p class="actions">
      <a class="button" href={to('/review')}>
        Back to Review
      </a>
    </p>
  );
  return (
    <ResourceView reading={useResource('prices needed', readNeededPrices)}>
      {(needed) =>
        needed.length === 0 ? (
          back && (
            <section class="card">
              <h2>All prices entered</h2>
              {back}
            </section>
          )
        ) : (
          <section class="card">
            <h2>Prices needed ({needed.length})</h2>
            <p>Transactions without a dollar amount. Each price values all of them on that day.</p>
            <StackedTable
              label="Prices needed"
              columns={['Asset', 'Date', 'For', { number: 'Transactions' }, 'Price per unit (USD)']}
              rows={needed.slice(0, shown).map(({ asset, date, rows, use }) => ({
                key: `${asset} ${date}`,
                name: <a href={to('/transactions', { asset, from: date })}>{asset}</a>,
                cells: [
                  <span class="whole">{day(date)}</span>,
                  withFormats(use),
                  rows,
                  <OwnBooks>
                    <PriceForm class="price-form in-row" asset={asset} on={date} />
                  </OwnBooks>,
                ],
              }))}
            />
            {needed.length > shown && (
              <button type="button" onClick={() => setShown(shown + 100)}>
                Show more
              </button>
            )}
            {back}
          </section>
        )
      }
    </ResourceView>
  );
}

const neededAtFirst = 20;

function PriceList() {
  const { query, route } = useLocation();
  const asset = query.asset ?? '';
  const source = (['own', 'shared'] as const).find((each) => each === query.source);
  const [limit, setLimit] = useState(50);
  const reading = useResource(`prices ${asset} ${source} ${limit}`, () => readPrices(asset, source, limit));
  const show = (change: Readonly<Record<string, string>>) =>
    route(to('/settings/prices', { asset, source, ...change }), true);
  return (
    <section class="card">
      <h2>Prices in use</h2>
      <div class="filters">
        <Field label="Asset" type="search" value={asset} onInput={(text) => show({ asset: text })} />
        <Choice
          label="Source"
          value={source ?? ''}
          options={[
            { value: '', label: 'All' },
            { value: 'own', label: 'You' },
            { value: 'shared', label: 'Price services' },
          ]}
          onChange={(chosen) => show({ source: chosen })}
        />
      </div>
      <ResourceView reading={reading}>
        {({ data, hasMore }) => (
          <>
            {data.length === 0 ? <p>No prices yet.</p> : <PriceTable prices={data} />}
            {hasMore && (
              <button type="button" onClick={() => setLimit(Math.min(1000, limit + 100))}>
                Show more
              </button>
            )}
          </>
        )}
      </ResourceView>
    </section>
  );
}

function PriceTable({ prices }: { readonly prices: readonly PriceItem[] }) {
  const remove = async ({ id, asset, date, usd }: PriceItem) => {
    await unwrapResponse(api.prices({ id }).delete());
    booksChanged();
    say(`Price removed: ${asset} on ${day(date)}.`, async () => {
      await savePrice({ asset, date, usd });
    });
  };
  return (
    <StackedTable
      label="Prices in use"
      columns={['Asset', 'Date', { number: 'Price per unit (USD)' }, 'Source', { unseen: 'Remove' }]}
      rows={prices.map((price) => ({
        key: price.id,
        name: price.asset,
        cells: [
          <span class="whole">{day(price.date)}</span>,
          <Price amount={price.usd} />,
          price.source === 'own' ? 'you' : price.source,
          price.source === 'own' ? (
            <OwnBooks>
              <RemoveButton
                of={`the price of ${price.asset} on ${day(price.date)}`}
                onRemove={() => remove(price).catch(sayProblem)}
              />
            </OwnBooks>
          ) : null,
        ],
      }))}
    />
  );
}

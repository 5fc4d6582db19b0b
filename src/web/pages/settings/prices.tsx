import { useLocation } from 'preact-iso';
import { api, type ItemOf, useList, useResource, write } from '../../api/api.ts';
import { to, withClient } from '../../api/page-url.ts';
import { savePrice } from '../../api/prices.ts';
import { say } from '../../api/toasts.ts';
import { scaled } from '../../format/amounts.ts';
import { day, withFormats } from '../../format/dates.ts';
import { Price } from '../../parts/amount.tsx';
import { Icon, LinkButton } from '../../parts/button.tsx';
import { toOptions } from '../../parts/field.tsx';
import { FilterChoice, FilterField } from '../../parts/filters.tsx';
import { filled } from '../../parts/form.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { Card, ListView, ResourceView } from '../../parts/page.tsx';
import { PriceForm, readNeededPrices } from '../../parts/prices/unit-value.tsx';
import { type ColumnSpec, Table } from '../../parts/tables/table.tsx';
import { CsvUpload, removeColumn } from './settings-form.tsx';

type PriceItem = ItemOf<typeof api.prices.get>;

/** Prices used if a row has no dollar value. */
export function Prices() {
  return (
    <>
      <NeededPrices />
      <Card title="Prices">
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
      </Card>
      <PriceList />
    </>
  );
}

/** The prices that would value rows without a dollar amount, each with a form. */
function NeededPrices() {
  const { query } = useLocation();
  const back = query.back === 'review' && (
    <p class="actions">
      <LinkButton label="Back to Review" href={to('/review')} />
    </p>
  );
  return (
    <ResourceView reading={useResource('prices needed', readNeededPrices)}>
      {(needed) =>
        needed.length === 0 ? (
          back && <Card title="All prices entered">{back}</Card>
        ) : (
          <Card title={`Prices needed (${needed.length})`}>
            <p>Transactions without a dollar amount. Each price values all of them on that day.</p>
            <Table
              label="Prices needed"
              rows={needed}
              keyOf={({ asset, date }) => `${asset} ${date}`}
              hrefOf={({ asset, date }) => to('/transactions', { asset, from: date })}
              most={20}
              columns={[
                { head: 'Asset', cell: ({ asset }) => asset },
                { head: 'Date', kind: 'day', cell: ({ date }) => date },
                { head: 'For', cell: ({ use }) => withFormats(use) },
                { head: 'Transactions', kind: 'number', cell: ({ rows }) => rows },
                {
                  head: 'Price per unit (USD)',
                  cell: ({ asset, date }) => (
                    <OwnBooks>
                      <PriceForm class="price-form in-row" asset={asset} on={date} />
                    </OwnBooks>
                  ),
                },
              ]}
            />
            {back}
          </Card>
        )
      }
    </ResourceView>
  );
}

function PriceList() {
  const { query } = useLocation();
  const source = (['own', 'shared'] as const).find((each) => each === query.source);
  const filter = { ...filled({ asset: query.asset ?? '' }), ...(source === undefined ? {} : { source }) };
  const list = useList(`prices ${JSON.stringify(filter)}`, (cursor) =>
    api.prices.get({ query: { limit: 50, ...filter, ...cursor } }),
  );
  return (
    <Card title="Prices in use">
      <div class="filters">
        <FilterField name="asset" label="Asset" type="search" />
        <FilterChoice
          name="source"
          label="Source"
          options={toOptions({ '': 'All', own: 'You', shared: 'Price services' })}
        />
      </div>
      <ListView list={list}>
        {({ data }) => <Table label="Prices in use" columns={columns} rows={data} empty={<p>No prices yet.</p>} />}
      </ListView>
    </Card>
  );
}

const columns: readonly ColumnSpec<PriceItem>[] = [
  { head: 'Asset', cell: ({ asset }) => asset },
  { head: 'Date', kind: 'day', cell: ({ date }) => date },
  {
    head: 'Price per unit (USD)',
    kind: 'number',
    cell: ({ usd }) => <Price amount={usd} />,
    sort: ({ usd }) => scaled(usd),
  },
  { head: 'Source', cell: ({ source }) => (source === 'own' ? 'you' : source) },
  removeColumn(
    ({ asset, date }) => `the price of ${asset} on ${day(date)}`,
    remove,
    ({ source }) => source === 'own',
  ),
];

async function remove({ id, asset, date, usd }: PriceItem): Promise<void> {
  await write(api.prices({ id }).delete());
  say(`Price removed: ${asset} on ${day(date)}.`, async () => void (await savePrice({ asset, date, usd })));
}

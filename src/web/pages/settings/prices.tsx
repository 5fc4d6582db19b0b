import { useLocation } from 'preact-iso';
import { api, unwrapResponse } from '../../api/api.ts';
import { write } from '../../api/changes.ts';
import { useList } from '../../api/list.ts';
import { to, withClient } from '../../api/page-url.ts';
import { savePrice } from '../../api/prices.ts';
import { useResource } from '../../api/resource.ts';
import { scaled } from '../../format/amounts.ts';
import { day, withFormats } from '../../format/dates.ts';
import { Price } from '../../parts/amount.tsx';
import { LinkButton } from '../../parts/button.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { Card } from '../../parts/page.tsx';
import { PriceForm, readNeededPrices } from '../../parts/prices/unit-value.tsx';
import { ListView, ResourceView } from '../../parts/resource-view.tsx';
import { type ColumnSpec, Table } from '../../parts/tables/table.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';
import { CsvUpload, RemoveButton } from './settings-form.tsx';

type PriceItem = Awaited<ReturnType<typeof readPrices>>['data'][number];
type PriceOrigin = 'own' | 'shared';

function readPrices(asset: string, source: PriceOrigin | undefined, cursor: { readonly cursor?: string }) {
  const query = {
    limit: 50,
    ...cursor,
    ...(asset === '' ? {} : { asset }),
    ...(source === undefined ? {} : { source }),
  };
  return unwrapResponse(api.prices.get({ query }));
}

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
  const { query, route } = useLocation();
  const asset = query.asset ?? '';
  const source = (['own', 'shared'] as const).find((each) => each === query.source);
  const list = useList(`prices ${asset} ${source}`, (cursor) => readPrices(asset, source, cursor));
  const show = (change: Readonly<Record<string, string>>) =>
    route(to('/settings/prices', { asset, source, ...change }), true);
  return (
    <Card title="Prices in use">
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
  {
    head: 'Remove',
    kind: 'buttons',
    cell: (price) =>
      price.source === 'own' ? (
        <OwnBooks>
          <RemoveButton
            of={`the price of ${price.asset} on ${day(price.date)}`}
            onRemove={() => remove(price).catch(sayProblem)}
          />
        </OwnBooks>
      ) : null,
  },
];

async function remove({ id, asset, date, usd }: PriceItem): Promise<void> {
  await write(api.prices({ id }).delete());
  say(`Price removed: ${asset} on ${day(date)}.`, async () => void (await savePrice({ asset, date, usd })));
}

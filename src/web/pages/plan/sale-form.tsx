import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { transitAccount } from '../../../engine/book/own-accounts.ts';
import type { AssetClass, LotMethod } from '../../../engine/model.ts';
import { api, type DataOf, useApi } from '../../api/api.ts';
import { to } from '../../api/page-url.ts';
import { useSettings } from '../../api/settings.ts';
import { quantity } from '../../format/amounts.ts';
import { accountName, methodNames } from '../../format/methods.ts';
import { Button } from '../../parts/button.tsx';
import { Fields, Form } from '../../parts/form.tsx';
import { Empty, ProblemNotice } from '../../parts/page.tsx';

/** The form for the planned sale. All inputs are in the URL, and the result is shown below. */
export function SaleForm() {
  const { query, route, url } = useLocation();
  const held = useApi('held by account', () => api.tax.holdings.get({ query: { by: 'account', limit: 1000 } }));
  const [sale, setSale] = useState(() => readPlannedSale(query));
  useEffect(() => setSale(readPlannedSale(query)), [url]);
  const set = (change: Partial<PlannedSale>) => setSale((before) => ({ ...before, ...change }));
  const [inTransit, holdings] = [true, false].map((isMoving) =>
    (held.data?.data ?? []).filter(({ account }) => (account === transitAccount) === isMoving),
  ) as [HeldAssets, HeldAssets];
  const moving = inTransit.find(({ asset }) => asset === sale.asset);
  const chosen = holdings.find(
    ({ asset, assetClass, account }) =>
      asset === sale.asset &&
      (sale.class === '' || assetClass === sale.class) &&
      (sale.account === '' || account === sale.account),
  );
  // The defaults are the only account that holds the asset, and today.
  const whole = {
    ...sale,
    account: sale.account === '' ? (chosen?.account ?? '') : sale.account,
    date: sale.date === '' ? (held.data?.asOf ?? '') : sale.date,
  };
  if (held.data !== undefined && holdings.length === 0) {
    return (
      <Empty title="No holdings">Once your purchases are in, preview a sale and its tax before you make it.</Empty>
    );
  }
  return (
    <Form
      class="card"
      label="Planned sale"
      fields={{}}
      verb="Calculate"
      isReady={() => whole.asset !== ''}
      onSubmit={async () => {
        if (isComplete(whole)) route(to('/planning', { ...whole, class: chosen?.assetClass ?? whole.class }));
      }}
    >
      {held.problem !== null && <ProblemNotice problem={held.problem} />}
      <Fields
        fields={{
          holding: {
            label: 'Sell',
            value: chosen === undefined ? '' : String(holdings.indexOf(chosen)),
            options: [
              { value: '', label: 'Choose a holding' },
              ...holdings.map(({ asset, assetName, account }, at) => ({
                value: String(at),
                label: [asset, assetName, accountName(account ?? '')].filter(Boolean).join(', '),
              })),
            ],
            hint:
              chosen !== undefined &&
              `${quantity(chosen.quantity)} held.${moving === undefined ? '' : ` Another ${quantity(moving.quantity)} are in transit and can't be sold: their deposit is missing.`}`,
          },
          quantity: {
            label: 'Quantity',
            value: sale.quantity,
            type: 'quantity',
            isRequired: true,
            hint: chosen !== undefined && (
              <Button label="Sell all" class="plain" onClick={() => set({ quantity: chosen.quantity })} />
            ),
          },
          price: {
            label: 'Price per unit',
            value: sale.price,
            type: 'money',
            hint: 'Leave blank to use the latest price.',
          },
          amount: { label: 'Or total proceeds, after fees', value: sale.amount, type: 'money' },
          date: { label: 'On', value: whole.date, type: 'date', isRequired: true },
        }}
        onInput={(name, text) => {
          if (name !== 'holding')
            return set({ ...(name === 'price' || name === 'amount' ? noWorth : {}), [name]: text });
          const holding = holdings[Number(text)];
          if (text === '' || holding === undefined) set({ asset: '', class: '', account: '' });
          else set({ asset: holding.asset, class: holding.assetClass, account: holding.account ?? '' });
        }}
      />
    </Form>
  );
}

/** The price of a sale is stated per unit or in total. */
const noWorth = { price: '', amount: '' };

/** A planned sale, as in the form and in the URL. */
export interface PlannedSale {
  readonly asset: string;
  readonly class: string;
  readonly account: string;
  readonly quantity: string;
  /** Per unit or in total. Empty uses the latest price in the books. */
  readonly price: string;
  readonly amount: string;
  readonly date: string;
  /** Empty for the method in effect. */
  readonly method: string;
}

const noSale: PlannedSale = {
  ...{ asset: '', class: '', account: '', quantity: '', price: '', amount: '', date: '', method: '' },
};

export function readPlannedSale(address: Readonly<Record<string, string>>): PlannedSale {
  const names = Object.keys(noSale) as (keyof PlannedSale)[];
  return Object.fromEntries(names.map((name) => [name, address[name] ?? ''])) as unknown as PlannedSale;
}

export function isComplete({ asset, quantity, date }: PlannedSale): boolean {
  return asset !== '' && quantity !== '' && /^\d{4}-\d\d-\d\d$/.test(date);
}

export function previewSale(sale: PlannedSale) {
  const { asset, account, quantity, price, amount, date } = sale;
  const method = (Object.keys(methodNames) as LotMethod[]).find((each) => each === sale.method);
  const assetClass = sale.class === '' ? {} : { assetClass: sale.class as AssetClass };
  const worth = amount !== '' ? { amount } : price !== '' ? { price } : {};
  const sales = [
    {
      ...{ asset, quantity, date, ...assetClass, ...worth },
      ...(account === '' ? {} : { account }),
      ...(method === undefined ? {} : { method }),
    },
  ];
  return api.tax['what-if'].post({ sales });
}

export type SalePreview = DataOf<typeof previewSale>;
export type TaxChange = SalePreview['taxes'][number];

export type HarvestResponse = DataOf<typeof api.tax.harvest.get>;
export type LosingLot = HarvestResponse['data'][number];

type HeldAssets = DataOf<typeof api.tax.holdings.get>['data'];
export type YearEndResponse = DataOf<(typeof api.tax)['year-end']['get']>;

/** Returns the lot method of the account that a planned sale is from. */
export function useMethodInForce({ sales, summary }: SalePreview): LotMethod {
  const settings = useSettings().data;
  return settings?.methodByAccount[sales[0]?.account ?? ''] ?? summary.method;
}

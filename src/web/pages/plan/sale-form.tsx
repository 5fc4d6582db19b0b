import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { transitAccount } from '../../../engine/book/own-accounts.ts';
import type { AssetClass, LotMethod } from '../../../engine/model.ts';
import { api, unwrapResponse } from '../../api/api.ts';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { useSettings } from '../../api/settings.ts';
import { quantity } from '../../format/amounts.ts';
import { accountName, methodNames } from '../../format/methods.ts';
import { Button } from '../../parts/button.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { Empty } from '../../parts/notice.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';

/** The form for the planned sale. All inputs are in the URL, and the result is shown below. */
export function SaleForm() {
  const { query, route, url } = useLocation();
  const held = useResource('held by account', readHeld);
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
  const submit = (event: Event) => {
    event.preventDefault();
    if (isComplete(whole)) route(to('/planning', { ...whole, class: chosen?.assetClass ?? whole.class }));
  };
  if (held.data !== undefined && holdings.length === 0) {
    return (
      <Empty title="No holdings">Once your purchases are in, preview a sale and its tax before you make it.</Empty>
    );
  }
  return (
    <form class="card" onSubmit={submit} aria-label="Planned sale">
      {held.problem !== null && <ProblemNotice problem={held.problem} />}
      <div class="fields">
        <Choice
          label="Sell"
          value={chosen === undefined ? '' : String(holdings.indexOf(chosen))}
          options={[
            { value: '', label: 'Choose a holding' },
            ...holdings.map(({ asset, assetName, account }, at) => ({
              value: String(at),
              label: [asset, assetName, accountName(account ?? '')].filter(Boolean).join(', '),
            })),
          ]}
          onChange={(index) => {
            const holding = holdings[Number(index)];
            if (index === '' || holding === undefined) set({ asset: '', class: '', account: '' });
            else set({ asset: holding.asset, class: holding.assetClass, account: holding.account ?? '' });
          }}
          hint={
            chosen !== undefined &&
            `${quantity(chosen.quantity)} held.${moving === undefined ? '' : ` Another ${quantity(moving.quantity)} are in transit and can't be sold: their deposit is missing.`}`
          }
        />
        <Field
          label="Quantity"
          value={sale.quantity}
          onInput={(text) => set({ quantity: text })}
          type="quantity"
          isRequired
          hint={
            chosen !== undefined && (
              <Button label="Sell all" class="plain" onClick={() => set({ quantity: chosen.quantity })} />
            )
          }
        />
        <Field
          label="Price per unit"
          value={sale.price}
          onInput={(text) => set({ price: text, amount: '' })}
          type="money"
          hint="Leave blank to use the latest price."
        />
        <Field
          label="Or total proceeds, after fees"
          value={sale.amount}
          onInput={(text) => set({ amount: text, price: '' })}
          type="money"
        />
        <Field label="On" type="date" value={whole.date} onInput={(text) => set({ date: text })} isRequired />
      </div>
      <Button label="Calculate" type="submit" class="primary" disabled={whole.asset === ''} />
    </form>
  );
}

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
  return unwrapResponse(api.tax['what-if'].post({ sales }));
}

export type SalePreview = Awaited<ReturnType<typeof previewSale>>;
export type TaxChange = SalePreview['taxes'][number];

export const readHarvest = (limit: number) => unwrapResponse(api.tax.harvest.get({ query: { limit } }));

export type HarvestResponse = Awaited<ReturnType<typeof readHarvest>>;
export type LosingLot = HarvestResponse['data'][number];

const readHeld = () => unwrapResponse(api.tax.holdings.get({ query: { by: 'account', limit: 1000 } }));

type HeldAssets = Awaited<ReturnType<typeof readHeld>>['data'];

export function readYearEnd(year: string | undefined) {
  return unwrapResponse(api.tax['year-end'].get({ query: year === undefined ? {} : { year: Number(year) } }));
}

export type YearEndResponse = Awaited<ReturnType<typeof readYearEnd>>;

/** Returns the lot method of the account that a planned sale is from. */
export function useMethodInForce({ sales, summary }: SalePreview): LotMethod {
  const settings = useSettings().data;
  return settings?.methodByAccount[sales[0]?.account ?? ''] ?? summary.method;
}

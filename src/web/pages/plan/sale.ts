import type { AssetClass, LotMethod } from '../../../engine/model.ts';
import { api, unwrapResponse } from '../../api/api.ts';
import { useSettings } from '../../api/settings.ts';
import { methodNames } from '../../format/methods.ts';

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

export function readHarvest(limit: number) {
  return unwrapResponse(api.tax.harvest.get({ query: { limit } }));
}

export type HarvestResponse = Awaited<ReturnType<typeof readHarvest>>;
export type LosingLot = HarvestResponse['data'][number];

export function readHeld() {
  return unwrapResponse(api.tax.holdings.get({ query: { by: 'account', limit: 1000 } }));
}

export type HeldAssets = Awaited<ReturnType<typeof readHeld>>['data'];

export function readYearEnd(year: string | undefined) {
  return unwrapResponse(api.tax['year-end'].get({ query: year === undefined ? {} : { year: Number(year) } }));
}

export type YearEndResponse = Awaited<ReturnType<typeof readYearEnd>>;

/** Returns the lot method of the account that a planned sale is from. */
export function useMethodInForce({ sales, summary }: SalePreview): LotMethod {
  const settings = useSettings().data;
  return settings?.methodByAccount[sales[0]?.account ?? ''] ?? summary.method;
}

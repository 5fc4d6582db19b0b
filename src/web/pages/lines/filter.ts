import { useLocation } from 'preact-iso';
import type { Box } from '../../../engine/model.ts';
import { boxNames } from '../../../engine/statement-values.ts';
import type { LineOrder, LineSort } from '../../../features/gains/years/years.queries.ts';
import { api, unwrapResponse } from '../../api/api.ts';
import { useListedYear } from '../../api/tax-year.ts';

/** The filters for Form 8949 entries in the URL, besides the year. */
export const filterNames = ['month', 'term', 'box', 'code', 'asset', 'account', 'importId', 'q'] as const;
export type LineFilterName = (typeof filterNames)[number];

type AddressQuery = Readonly<Record<string, string>>;

const orders: readonly LineOrder[] = ['date', 'asset', 'acquired', 'proceeds', 'basis', 'adjustment', 'gain'];

/** Returns the filters in the URL. The year is that of the frame, unless the URL asks for all years. */
export function useLinesAddress(): AddressQuery {
  const { query } = useLocation();
  const year = useListedYear();
  return { ...query, year: String(year ?? '') };
}

/** Builds the API query for the entries from the URL. Unknown parameters are ignored. */
export function buildLinesQuery(address: AddressQuery) {
  const { asset, account, importId, q } = address;
  const box = (Object.keys(boxNames) as Box[]).find((each) => each === address.box);
  const term = (['short', 'long'] as const).find((each) => each === address.term);
  const sort = orders.flatMap((order): LineSort[] => [order, `-${order}`]).find((each) => each === address.sort);
  return {
    ...toDateSpan(address),
    ...(term === undefined ? {} : { term }),
    ...(box === undefined ? {} : { box }),
    ...toParameter('code', /^[A-Z]$/.test(address.code ?? '') ? address.code : ''),
    ...toParameter('asset', asset),
    ...toParameter('account', account),
    ...toParameter('importId', importId),
    ...toParameter('q', q),
    ...(sort === undefined ? {} : { sort }),
  };
}

export function readLinesPage(query: ReturnType<typeof buildLinesQuery> & { readonly cursor?: string }) {
  return unwrapResponse(api.tax.disposals.get({ query: { ...query, limit: 100 } }));
}

export type LinesPageResponse = Awaited<ReturnType<typeof readLinesPage>>;
export type FormLine = LinesPageResponse['data'][number];

/** Returns the dates of a year or a month. A month belongs to a year, as in `year=2024&month=03`. */
function toDateSpan({ year = '', month = '' }: AddressQuery): { year?: number; from?: string; to?: string } {
  if (!/^\d{4}$/.test(year)) return {};
  if (!/^(0[1-9]|1[0-2])$/.test(month)) return { year: Number(year) };
  const next =
    Number(month) === 12 ? `${Number(year) + 1}-01` : `${year}-${String(Number(month) + 1).padStart(2, '0')}`;
  return { year: Number(year), from: `${year}-${month}-01`, to: `${next}-01` };
}

function toParameter<Name extends string>(name: Name, text = ''): { [Own in Name]?: string } {
  return text === '' ? {} : ({ [name]: text } as { [Own in Name]: string });
}

import { request } from '../../api/api.ts';
import { savePrice } from '../../api/prices.ts';
import { say } from '../../api/toasts.ts';
import { formatCount } from '../../format/amounts.ts';
import { csvLines } from '../../format/csv.ts';
import { day, daysBetween } from '../../format/dates.ts';
import { Money, Price } from '../amount.tsx';
import { Form } from '../form.tsx';

/** The value of a unit with its source, from the API. */
interface ShownUnitValue {
  readonly source: 'price' | 'transaction';
  readonly date: string;
  readonly provider: string | null;
  readonly unit: string;
}

interface UnitPriceProps {
  readonly by: ShownUnitValue | null;
  /** The day of the valuation. Older prices are marked. */
  readonly asOf?: string;
}

/** The price of a unit with its source and date. A missing price is labeled as missing, never shown as zero. */
export function UnitPrice({ by, asOf }: UnitPriceProps) {
  if (by === null) return <span class="muted">no price</span>;
  const age = asOf === undefined || !isOldPrice(by.date, asOf) ? null : formatAge(daysBetween(by.date, asOf));
  return (
    <>
      {by.source === 'price' || by.unit.startsWith('0.') ? <Price amount={by.unit} /> : <Money amount={by.unit} />}
      <p class="fine">
        {formatSource(by)}, <span class="whole">{day(by.date)}</span>
        {age !== null && <span class="old-price"> {age} old</span>}
      </p>
    </>
  );
}

const daysFresh = 7;

const isOldPrice = (date: string, asOf: string): boolean => daysBetween(date, asOf) > daysFresh;

/** Formats `12 days`, `5 weeks`, `20 months`, `3 years`. */
function formatAge(days: number): string {
  if (days < 28) return `${days} days`;
  if (days < 92) return `${Math.floor(days / 7)} weeks`;
  return days < 730 ? `${Math.floor(days / 30.44)} months` : `${Math.floor(days / 365.25)} years`;
}

function formatSource({ source, provider }: ShownUnitValue): string {
  if (source === 'transaction') return 'last trade';
  return provider === 'own' ? 'your price' : (provider ?? 'price');
}

interface PriceFormProps {
  /** The user names the asset if it is not given. */
  readonly asset?: string;
  /** The user names the day if it is not given. */
  readonly on?: string;
  /** The default day. */
  readonly date?: string;
  readonly class?: string;
}

/** The form for the price of one unit of an asset on a day. */
export function PriceForm({ asset, on, date = on ?? '', class: name = 'price-form' }: PriceFormProps) {
  const label = asset && `Price of ${asset}${on === undefined ? '' : ` on ${day(on)}`}`;
  return (
    <Form
      class={name}
      {...(label === undefined ? {} : { label })}
      fields={{
        asset: { label: 'Asset', isRequired: true, value: asset ?? '', isHidden: asset !== undefined },
        date: { label: 'Date', type: 'date', isRequired: true, value: date, isHidden: on !== undefined },
        usd: { label: 'Price per unit (USD)', type: 'money', isRequired: true },
      }}
      verb="Save price"
      look=""
      keeps
      onSubmit={async ({ asset: named, ...price }) => {
        const undo = await savePrice({ asset: named.trim(), ...price });
        say(`Price saved: ${named} on ${day(price.date)}.`, undo);
      }}
    />
  );
}

/** A price that would value rows without a dollar amount. */
interface MissingPrice {
  readonly date: string;
  readonly asset: string;
  /** The number of rows that it would value. */
  readonly rows: number;
  /** What it values in one of them: `100.00 EUR paid for BTC`. */
  readonly use: string;
}

export async function readNeededPrices(): Promise<readonly MissingPrice[]> {
  const lines = csvLines(await (await request('/v1/prices/needed', { method: 'GET' })).text()).slice(1);
  return lines.flatMap(({ cells: [date = '', asset = '', , rows = '', , use = ''] }) =>
    date === '' ? [] : [{ date, asset, rows: Number(rows), use }],
  );
}

interface PriceDatesProps {
  readonly data: readonly { readonly valuedBy: ShownUnitValue | null }[];
  readonly asOf: string;
  readonly of?: 'holding' | 'lot';
}

/** States the dates of the prices behind the total, and how many of them are old. */
export function PriceDates({ data, asOf, of = 'holding' }: PriceDatesProps) {
  const dates = data.flatMap(({ valuedBy }) => (valuedBy === null ? [] : [valuedBy.date])).sort();
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return <>No {of} has a price yet.</>;
  const old = dates.filter((date) => isOldPrice(date, asOf)).length;
  return (
    <>
      Prices {first === last ? `as of ${day(first)}` : `from ${day(first)} to ${day(last)}`}
      {old > 0 && `; ${old === dates.length ? 'all' : `${old} of ${dates.length}`} more than 7 days old`}.
      {data.length > dates.length && ` ${formatCount(data.length - dates.length, of)} without a price.`}
    </>
  );
}

import { useState } from 'preact/hooks';
import { type DecimalText, money, shortMoney } from '../format/amounts.ts';
import { month } from '../format/dates.ts';
import { axisTicks, scaleAmounts } from '../format/scale.ts';

interface BarGroup {
  /** Shown below the bars. */
  readonly label: string;
  /** The bars in a group, one for each series in order, with their text and link. */
  readonly bars: readonly { readonly amount: DecimalText; readonly says: string; readonly href?: string }[];
}

interface BarChartProps {
  /** A description of the chart for screen readers. */
  readonly title: string;
  readonly series: readonly string[];
  readonly groups: readonly BarGroup[];
}

/** The drawing is 1000 units wide. */
const width = 1000;
const height = 240;
const head = 14;
const foot = 34;
const left = 76;
/** A bar of less than a cent of the axis is still visible. */
const barMin = 2;

/** A bar chart to scale with a grid. The bar with the pointer or the focus shows its text. A table has the numbers. */
export function BarChart({ title, series, groups }: BarChartProps) {
  const [shown, setShown] = useState<string | null>(null);
  const amounts = groups.flatMap(({ bars }) => bars.map(({ amount }) => amount));
  const ticks = axisTicks(amounts);
  const scaled = scaleAmounts([...amounts, ...ticks]);
  const tickPlaces = scaled.slice(amounts.length);
  const [lowest, highest] = [tickPlaces[0] ?? 0, tickPlaces.at(-1) ?? 0];
  const toY = (place: number) => head + ((highest - place) * height) / Math.max(1, highest - lowest);
  const step = (width - left) / Math.max(1, groups.length);
  const thickness = Math.min(46, (step * 0.76) / Math.max(1, series.length));
  const bars = groups.flatMap((group, at) =>
    group.bars.map((bar, index) => {
      const end = toY(scaled[at * series.length + index] ?? 0);
      const x = left + step * at + (step - thickness * series.length) / 2 + thickness * index;
      return { ...bar, index, x, end, isZero: end === toY(0) };
    }),
  );
  const named = bars.find(({ says }) => says === shown);
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${width} ${head + height + foot}`} aria-label={title}>
        {ticks.map((tick, at) => (
          <g key={tick}>
            <line
              class={tick === '0' ? 'zero' : 'grid'}
              x1={left}
              x2={width}
              y1={toY(tickPlaces[at] ?? 0)}
              y2={toY(tickPlaces[at] ?? 0)}
            />
            <text class="tick amount" x={left - 8} y={toY(tickPlaces[at] ?? 0) + 5} text-anchor="end">
              {shortMoney(tick)}
            </text>
          </g>
        ))}
        {bars
          .filter(({ isZero }) => !isZero)
          .map(({ says, href, index, x, end }) => {
            const isNamed = { onPointerEnter: () => setShown(says), onPointerLeave: () => setShown(null) };
            const content = (
              <>
                <rect class="reach" x={x} y={head} width={thickness} height={height} />
                <rect
                  class={`bar series-${index + 1}`}
                  x={x + 1}
                  y={Math.min(end, toY(0))}
                  width={Math.max(1, thickness - 2)}
                  height={Math.max(barMin, Math.abs(end - toY(0)))}
                  rx={2}
                />
              </>
            );
            return href === undefined ? (
              <g key={says} {...isNamed}>
                {content}
              </g>
            ) : (
              <a
                key={says}
                href={href}
                aria-label={says}
                {...isNamed}
                onFocus={() => setShown(says)}
                onBlur={() => setShown(null)}
              >
                {content}
              </a>
            );
          })}
        {groups.map(({ label }, at) => (
          <text key={label} class="tick" x={left + step * (at + 0.5)} y={head + height + foot - 6} text-anchor="middle">
            {label}
          </text>
        ))}
        {named !== undefined && (
          <text
            class="bar-text amount"
            x={named.x + thickness / 2}
            y={Math.max(head + 4, Math.min(named.end, toY(0)) - 8)}
            text-anchor={named.x < width * 0.3 ? 'start' : named.x > width * 0.7 ? 'end' : 'middle'}
          >
            {named.says}
          </text>
        )}
      </svg>
      {series.length > 1 && (
        <figcaption class="legend">
          {series.map((name, index) => (
            <span key={name} class={`key series-${index + 1}`}>
              {name}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  );
}

interface MonthsChartProps {
  readonly year: number;
  readonly months: readonly { readonly key: string; readonly short: string; readonly long: string }[];
  /** The page with the entries of a bar. */
  readonly hrefOf?: (month: string, term: 'short' | 'long') => string;
}

/** Short-term and long-term gains by month. */
export function MonthsChart({ year, months, hrefOf }: MonthsChartProps) {
  return (
    <BarChart
      title={`${year} gains by month`}
      series={['Short-term', 'Long-term']}
      groups={months.map(({ key, ...gains }) => ({
        label: month(key),
        bars: (['short', 'long'] as const).map((term) => ({
          amount: gains[term],
          says: `${month(key)}, ${term}-term: ${money(gains[term])}`,
          ...(hrefOf && { href: hrefOf(key, term) }),
        })),
      }))}
    />
  );
}

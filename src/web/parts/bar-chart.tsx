import type { DecimalText } from '../format/amounts.ts';
import { roundMoney } from '../format/amounts.ts';
import { findLargest, scaleAmounts } from '../format/scale.ts';

export interface BarGroup {
  /** Shown below the bars. */
  readonly label: string;
  /** The bars in a group, one for each series in order, with their accessible text and link. */
  readonly bars: readonly { readonly amount: DecimalText; readonly says: string; readonly href?: string }[];
}

interface BarChartProps {
  /** A description of the chart for screen readers. */
  readonly title: string;
  readonly series: readonly string[];
  readonly groups: readonly BarGroup[];
}

/** The drawing is 1000 units wide, with room above and below the zero line for the largest bar. */
const width = 1000;
const half = 120;
const foot = 34;
const left = 84;

/** A bar chart to scale, with gains above the zero line and losses below. A table next to it has the numbers. */
export function BarChart({ title, series, groups }: BarChartProps) {
  const amounts = groups.flatMap(({ bars }) => bars.map(({ amount }) => amount));
  const heights = scaleAmounts(amounts);
  const hasLosses = heights.some((height) => height < 0);
  const below = hasLosses ? half : 0;
  const step = (width - left) / Math.max(1, groups.length);
  const thickness = Math.min(46, (step * 0.72) / Math.max(1, series.length));
  const largest = findLargest(amounts);
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${width} ${half + below + foot}`} aria-label={title}>
        <Axis largest={largest} hasLosses={hasLosses} />
        {groups.map((group, at) => {
          const start = left + step * at + (step - thickness * series.length) / 2;
          return (
            <g key={group.label}>
              {group.bars.map(({ says, href }, index) => {
                const height = ((heights[at * series.length + index] ?? 0) * (half - 8)) / 1000;
                const bar = (
                  <rect
                    class={`bar series-${index + 1}`}
                    x={start + thickness * index}
                    y={height >= 0 ? half - height : half}
                    width={Math.max(1, thickness - 2)}
                    height={Math.abs(height)}
                    rx={2}
                  >
                    <title>{says}</title>
                  </rect>
                );
                if (height === 0) return null;
                return href === undefined ? (
                  <g key={says}>{bar}</g>
                ) : (
                  <a key={says} href={href} aria-label={says}>
                    {bar}
                  </a>
                );
              })}
              <text class="tick" x={left + step * (at + 0.5)} y={half + below + foot - 6} text-anchor="middle">
                {group.label}
              </text>
            </g>
          );
        })}
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

function Axis({ largest, hasLosses }: { readonly largest: DecimalText; readonly hasLosses: boolean }) {
  return (
    <>
      <line class="zero" x1={left} x2={width} y1={half} y2={half} />
      <text class="tick amount" x={left - 8} y={14} text-anchor="end">
        {roundMoney(largest)}
      </text>
      <text class="tick amount" x={left - 8} y={half + 4} text-anchor="end">
        $0
      </text>
      {hasLosses && (
        <text class="tick amount" x={left - 8} y={half * 2 - 4} text-anchor="end">
          {roundMoney(`-${largest}`)}
        </text>
      )}
    </>
  );
}

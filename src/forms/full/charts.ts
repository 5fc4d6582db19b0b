import { formatDay } from '../../base/day.ts';
import type { Cents } from '../../base/decimal.ts';
import type { TaxYearSummary } from '../../engine/model.ts';
import { addCents, printDollars, roundToDollars } from '../figures.ts';
import type { Color } from '../pdf/canvas.ts';
import { contentWidth, margin, palette, type Sheet } from '../pdf/sheet.ts';
import type { ReportBooks } from '../report.ts';

/** Draws the year's charts. Bars are computed from cents; only their lengths are floating-point numbers. */
export function drawCharts(sheet: Sheet, books: ReportBooks): void {
  sheet.open('The year in pictures');
  drawMonths(sheet, books);
  drawAssets(sheet, books.summary);
  drawTerms(sheet, books.summary);
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const chartHeight = 150;
/** The width available for the amounts next to the months. */
const scaleWidth = 48;

/** Draws column (h) by month of sale, with short-term and long-term side by side. */
function drawMonths(sheet: Sheet, books: ReportBooks): void {
  sheet.heading('Gain or loss by month');
  const byMonth = months.map((_, month) => {
    const lines = books.lines.filter((line) => monthOf(line.disposal.on) === month);
    const ofTerm = (term: 'short' | 'long'): Cents =>
      addCents(lines.filter((line) => line.disposal.term === term).map((line) => line.gain));
    return { short: ofTerm('short'), long: ofTerm('long') };
  });
  const amounts = byMonth.flatMap(({ short, long }) => [short, long]);
  const scale = computeScale(amounts, chartHeight - 24);
  const { canvas } = sheet;
  const zero = sheet.y - 12 - scale.above;
  const plotLeft = margin + scaleWidth;
  const step = (contentWidth - scaleWidth) / 12;
  const bar = step * 0.32;
  byMonth.forEach(({ short, long }, month) => {
    const left = plotLeft + month * step + step * 0.16;
    drawBar(sheet, left, zero, bar, scale.length(short), shades.short);
    drawBar(sheet, left + bar + 2, zero, bar, scale.length(long), shades.long);
    canvas.text(left + bar, zero - scale.below - 12, months[month] ?? '', {
      size: 7.5,
      color: palette.muted,
      align: 'center',
    });
  });
  canvas.line(plotLeft, zero, margin + contentWidth, zero, 0.75, palette.muted);
  labelScale(sheet, zero, scale);
  sheet.y = zero - scale.below - 26;
  drawLegend(sheet);
}

const shades = { short: palette.gain, long: palette.accent } as const;
const assetsMax = 10;

/** Draws the assets with the largest gains and losses, and all other assets in one bar. */
function drawAssets(sheet: Sheet, summary: TaxYearSummary): void {
  const ordered = [...summary.assets].sort(
    (a, b) => compare(magnitude(b.gain), magnitude(a.gain)) || (a.asset < b.asset ? -1 : 1),
  );
  const shown = ordered.slice(0, assetsMax).map(({ asset, gain }) => ({ name: asset, gain }));
  const others = ordered.slice(assetsMax);
  const othersBar =
    others.length === 0 ? [] : [{ name: `${others.length} others`, gain: addCents(others.map(({ gain }) => gain)) }];
  drawBars(sheet, 'Gain or loss by asset', [...shown, ...othersBar]);
}

function drawTerms(sheet: Sheet, summary: TaxYearSummary): void {
  drawBars(sheet, 'Short-term against long-term', [
    { name: 'Short-term', gain: summary.shortTerm.gain, color: shades.short },
    { name: 'Long-term', gain: summary.longTerm.gain, color: shades.long },
  ]);
}

const nameWidth = 84;
const amountWidth = 60;

interface Bar {
  readonly name: string;
  readonly gain: Cents;
  /** Overrides the color for gains and losses. */
  readonly color?: Color;
}

/** Draws horizontal bars with their amounts. */
function drawBars(sheet: Sheet, title: string, bars: readonly Bar[]): void {
  sheet.need(40 + bars.length * 15);
  sheet.heading(title);
  if (bars.length === 0) {
    sheet.paragraph('Nothing was sold.', 'italic', palette.muted);
    return;
  }
  const amounts = bars.map(({ gain }) => gain);
  const scale = computeScale(amounts, contentWidth - nameWidth - 2 * amountWidth);
  const zero = margin + nameWidth + (scale.least < 0n ? amountWidth : 8) + scale.below;
  for (const { name, gain, color = gain < 0n ? palette.loss : palette.gain } of bars) {
    const length = scale.length(gain);
    const { canvas, y } = sheet;
    canvas.text(margin + nameWidth - 4, y - 10, name, {
      size: 8,
      color: palette.text,
      align: 'right',
      widthMax: nameWidth - 4,
    });
    canvas.fillRect(Math.min(zero, zero + length), y - 12, Math.max(Math.abs(length), 0.5), 9, color);
    const labelX = gain < 0n ? Math.min(zero, zero + length) - 4 : zero + length + 4;
    canvas.text(labelX, y - 10, dollars(gain), {
      size: 7.5,
      color: palette.muted,
      align: gain < 0n ? 'right' : 'left',
    });
    sheet.space(14);
  }
  sheet.canvas.line(zero, sheet.y, zero, sheet.y + bars.length * 14, 0.75, palette.muted);
  sheet.space(14);
}

function drawLegend(sheet: Sheet): void {
  const { canvas, y } = sheet;
  canvas.fillRect(margin, y - 8, 8, 8, shades.short);
  canvas.text(margin + 12, y - 7.5, 'Short-term', { size: 8, color: palette.muted });
  canvas.fillRect(margin + 70, y - 8, 8, 8, shades.long);
  canvas.text(margin + 82, y - 7.5, 'Long-term', { size: 8, color: palette.muted });
  sheet.space(24);
}

function labelScale(sheet: Sheet, zero: number, scale: Scale): void {
  const style = { size: 7, color: palette.muted, align: 'right', widthMax: scaleWidth - 6 } as const;
  const right = margin + scaleWidth - 6;
  sheet.canvas.text(right, zero - 2.5, '0', style);
  for (const [amount, y] of [
    [scale.most, zero + scale.above],
    [scale.least, zero - scale.below],
  ] as const) {
    if (amount === 0n) continue;
    sheet.canvas.text(right, y - 2.5, dollars(amount), style);
    sheet.canvas.line(margin + scaleWidth, y, margin + contentWidth, y, 0.3, palette.rule);
  }
}

function drawBar(
  sheet: Sheet,
  x: number,
  zero: number,
  width: number,
  length: number,
  color: (typeof shades)[keyof typeof shades],
): void {
  if (length !== 0) sheet.canvas.fillRect(x, Math.min(zero, zero + length), width, Math.abs(length), color);
}

interface Scale {
  readonly most: Cents;
  readonly least: Cents;
  /** Points available for the largest gain and the largest loss. */
  readonly above: number;
  readonly below: number;
  length(amount: Cents): number;
}

function computeScale(amounts: readonly Cents[], points: number): Scale {
  let most = 0n as Cents;
  let least = 0n as Cents;
  for (const amount of amounts) {
    if (amount > most) most = amount;
    if (amount < least) least = amount;
  }
  const span = Number(most - least);
  const length = (amount: Cents): number => (span === 0 ? 0 : (Number(amount) / span) * points);
  return { most, least, above: length(most), below: -length(least), length };
}

function monthOf(day: Parameters<typeof formatDay>[0]): number {
  return Number(formatDay(day).slice(5, 7)) - 1;
}

function dollars(cents: Cents): string {
  return printDollars(roundToDollars(cents));
}

function magnitude(cents: Cents): bigint {
  return cents < 0n ? -cents : cents;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

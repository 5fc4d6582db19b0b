import { formatDay } from '../../base/day.ts';
import { formatCents, formatQuantity } from '../../base/decimal.ts';
import type { Disposal, Line, Rules, Transaction, WashSale } from '../../engine/model.ts';
import { withoutForm1099 } from '../../engine/rules/lines/shown-basis.ts';
import type { FormChoices } from '../../forms/choices.ts';
import { columnB, describe } from '../../forms/lines.ts';
import { chosenFor } from './explain-choice.ts';
import type { Course } from './explain-course.ts';
import { centsOf } from './explain-given.ts';
import {
  acquiredWords,
  basisWords,
  giftBasis,
  type Kind,
  kindOf,
  mergerBasis,
  proceedsWords,
  type Words,
} from './explain-kind.ts';
import {
  broughtBy,
  costOf,
  isUnstated,
  lineParts,
  ordinalOf,
  type Part,
  partView,
  shareParts,
  statedBy,
  strikeOf,
  wholeOf,
  wordOf,
} from './explain-parts.ts';

/** All that the steps of a line are told from. */
export interface Explained {
  readonly line: Line;
  /** Those of the same row. */
  readonly lines: readonly Disposal[];
  readonly washes: readonly WashSale[];
  readonly rules: Rules;
  readonly course: Course | null;
  readonly columnB: NonNullable<FormChoices['columnB']>;
  /** What sold and what opened the lot, in dollars. */
  readonly rows: ReadonlyMap<string, Transaction>;
  readonly openers: readonly string[];
  /** The days of the replacements, by their rows. */
  readonly boughtOn: ReadonlyMap<string, string>;
}

export function stepsOf(explained: Explained) {
  const { disposal } = explained.line;
  const sale = explained.rows.get(disposal.saleId);
  const opener = explained.rows.get(explained.openers[0] ?? '');
  const kind = kindOf(disposal, sale, opener);
  return [
    step('(a)', describe(disposal), {
      text: 'What was disposed of, and how much of it.',
      citations: ['Instructions for Form 8949, column (a)'],
    }),
    step('(b)', acquiredText(explained), acquiredStep(explained, kind, sale)),
    step('(c)', formatDay(disposal.sold), soldStep(disposal, kind)),
    step(
      '(d)',
      formatCents(disposal.proceeds),
      proceedsStep(disposal, kind, sale),
      proceedsParts(explained, kind, sale, opener),
    ),
    step(
      '(e)',
      formatCents(disposal.basis),
      basisStep(explained, kind, opener),
      basisParts(explained, kind, sale, opener),
    ),
    ...adjustmentSteps(explained),
    step('(h)', formatCents(explained.line.gain), { text: '(d) − (e) + (g).', citations: ['Form 8949'] }, [
      { text: '(d)', cents: disposal.proceeds },
      { text: '(e), taken off', cents: -disposal.basis },
      ...(explained.line.adjustment === 0n ? [] : [{ text: '(g)', cents: explained.line.adjustment }]),
    ]),
    step('box', disposal.box, {
      text: disposal.boxReason,
      citations: ['Instructions for Form 8949, Part I and II check boxes'],
    }),
  ];
}

function step(column: string, value: string, { text, citations }: Words, parts: readonly Part[] = []) {
  return { column, value, text, citations: [...citations], parts: parts.map(partView) };
}

/** As the forms have it. */
function acquiredText({ line: { disposal }, columnB: choice }: Explained): string {
  if (disposal.inherited) return 'INHERITED';
  return disposal.acquiredVarious ? 'VARIOUS' : formatDay(columnB(disposal, choice));
}

function acquiredStep({ line: { disposal }, rules }: Explained, kind: Kind, sale: Transaction | undefined): Words {
  const chosen = acquiredWords[kind] ?? chosenFor(disposal, sale, rules);
  if (disposal.heldSince === disposal.acquired || kind === 'short') return chosen;
  const [bought, held] = [formatDay(disposal.acquired), formatDay(disposal.heldSince)];
  const isAnew = disposal.heldSince > disposal.acquired;
  const why = isAnew ? 'for it began anew when a short sale was closed' : 'for another one is added to it';
  return {
    text: `${chosen.text} It was acquired on ${bought}; its holding period begins with ${held}, ${why}.`,
    citations: [...chosen.citations, isAnew ? 'IRC 1233(b)(2)' : 'IRC 1223'],
  };
}

function soldStep(disposal: Disposal, kind: Kind): Words {
  if (kind === 'written') {
    return { text: 'The day on which it was written: short-term, whatever the time.', citations: ['IRC 1234(b)(1)'] };
  }
  if (disposal.inherited) {
    const text = 'Inherited property is long-term, however long it was held.';
    return { text, citations: ['IRC 1223(9)'] };
  }
  const term = disposal.term === 'long' ? 'more than one year' : 'one year or less';
  if (kind === 'short') {
    const text = `The day of delivery. Counted as held ${term}: by the property delivered, and by what was held while the short was open.`;
    return { text, citations: ['IRC 1222, 1233(b), (d)'] };
  }
  const text = `Held ${term}: the day of acquisition is not counted, the day of sale is.`;
  return { text, citations: ['IRC 1222; Rev. Rul. 66-7'] };
}

function proceedsStep(disposal: Disposal, kind: Kind, sale: Transaction | undefined): Words {
  const text =
    sale !== undefined && isUnstated(sale, ordinalOf(disposal.id))
      ? 'What it brought is not stated in dollars and stands as zero until it is.'
      : 'The share of the sale that belongs to these units, less its fees.';
  return proceedsWords[kind] ?? { text, citations: ['IRC 1001(b)'] };
}

function basisStep({ line: { disposal }, course }: Explained, kind: Kind, opener: Transaction | undefined): Words {
  if (disposal.basisUnknown) {
    const text = 'The basis is not known and stands as zero until it is supplied.';
    return { text, citations: ['IRC 1011, 1012'] };
  }
  if (kind === 'merger') return mergerBasis(disposal);
  if (kind === 'gift') return giftBasis(disposal, opener);
  if (course !== null && course.pool !== null) {
    const text = 'The share of the averaged basis that belongs to these units.';
    return { text, citations: ['IRC 1012(c), (d); 26 CFR 1.1012-1(e)(7)'] };
  }
  const text =
    'The share of the lot’s basis that belongs to these units, fees of the purchase included; what is left stays with the lot.';
  return basisWords[kind] ?? { text, citations: ['IRC 1011, 1012'] };
}

function proceedsParts(
  { line: { disposal }, lines, course }: Explained,
  kind: Kind,
  sale: Transaction | undefined,
  opener: Transaction | undefined,
): Part[] {
  if (kind === 'short' || kind === 'written') {
    if (opener === undefined || sale === undefined) return [];
    if (kind === 'short' && opener.type !== 'short_sell') {
      const cents = centsOf(course?.usedUp.get(sale.on));
      return lineParts(
        { quantity: 0n, cents, parts: [{ text: 'Brought when it was sold short', cents }] },
        disposal,
        lines,
      );
    }
    const whole = statedBy(opener, -1n, `Brought when it was ${kind === 'short' ? 'sold short' : 'written'}`);
    return shareParts(whole, disposal.quantity, disposal.proceeds, 'Belongs to the other units');
  }
  if (sale === undefined || kind === 'capital' || kind === 'reported') return [];
  const usesOptions = sale.type === 'exercise' || sale.type === 'assign';
  const whole =
    kind === 'merger' || sale.type === 'split'
      ? statedBy(sale, -1n, `Cash of the ${sale.type} of ${formatDay(sale.on)}`)
      : usesOptions
        ? strikeOf(sale, course?.usedUp.get(sale.on), -1n)
        : broughtBy(sale, ordinalOf(disposal.id));
  return lineParts(whole, disposal, lines);
}

function basisParts(
  explained: Explained,
  kind: Kind,
  sale: Transaction | undefined,
  opener: Transaction | undefined,
): Part[] {
  const { disposal } = explained.line;
  const whole = withoutForm1099(disposal);
  const parts = trueBasisParts(explained, whole, kind, sale, opener);
  const unknown = disposal.basis - whole.basis;
  if (parts.length === 0 || unknown === 0n) return parts;
  return [...parts, { text: 'Not in the basis that the form shows', cents: unknown }];
}

function trueBasisParts(
  { rows, openers, course }: Explained,
  disposal: Disposal,
  kind: Kind,
  sale: Transaction | undefined,
  opener: Transaction | undefined,
): Part[] {
  if (disposal.basisUnknown || kind === 'capital' || kind === 'reported') return [];
  if (kind === 'merger' && !disposal.code.includes('O')) {
    const gain = { text: 'The gain that is recognized, taken off', cents: disposal.basis - disposal.proceeds };
    return [{ text: 'The cash of column (d)', cents: disposal.proceeds }, gain];
  }
  if (kind === 'gift' && disposal.proceeds === disposal.basis) {
    return [{ text: 'The proceeds of column (d)', cents: disposal.basis }];
  }
  if (kind === 'written' || (kind === 'short' && opener?.type === 'short_sell')) {
    const whole =
      sale === undefined ? null : statedBy(sale, 1n, `What the ${wordOf(sale)} of ${formatDay(sale.on)} cost`);
    return shareParts(whole, disposal.quantity, disposal.basis, 'Belongs to the other units');
  }
  const purchase = rows.get(openers.at(-1) ?? '');
  if (purchase === undefined) return [];
  const inner = disposal.lotId.slice(disposal.lotId.indexOf(purchase.id));
  const usesOptions = purchase.type === 'exercise' || purchase.type === 'assign';
  const opened = usesOptions
    ? strikeOf(purchase, course?.usedUp.get(purchase.on), 1n)
    : costOf(purchase, ordinalOf(inner));
  const rest = 'Stays with the other units of the lot';
  return shareParts(wholeOf(opened, course), disposal.quantity, disposal.basis, rest);
}

function adjustmentSteps({ line, washes, boughtOn }: Explained) {
  const { code, adjustment, disposal } = line;
  if (adjustment === 0n && code === '') return [];
  const units = washes.map((wash) => formatQuantity(wash.quantity)).join(' + ');
  const sum = washes.reduce((total, wash) => total + wash.disallowed, 0n) as typeof adjustment;
  const denied = `Of the loss ${formatCents(sum)} is denied: ${units} units were replaced within 30 days.`;
  const told = [...code].flatMap((letter) => (letter === 'W' && washes.length > 0 ? [] : (codeWords[letter] ?? [])));
  const text = [...(washes.length > 0 ? [denied] : []), ...told].join(' ');
  const citations = [
    ...(washes.length > 0 ? ['IRC 1091; 26 CFR 1.1091-1'] : []),
    ...(told.length > 0 ? ['Instructions for Form 8949, columns (f) and (g)'] : []),
  ];
  const parts = washes.map(({ quantity, disallowed, permanent, replacementTransactionId: row }): Part => {
    const by = `${formatQuantity(quantity)} units replaced by what was acquired on ${boughtOn.get(row) ?? 'a day before'}`;
    return { text: `${by}${permanent ? ', in an IRA: lost for good' : ''}`, cents: disallowed };
  });
  const other: Part[] =
    disposal.adjustment === 0n ? [] : [{ text: told.join(' ') || 'As stated', cents: disposal.adjustment }];
  return [step('(f), (g)', `${code} ${formatCents(adjustment)}`.trim(), { text, citations }, [...parts, ...other])];
}

const codeWords: Readonly<Record<string, string>> = {
  B: 'The form shows another basis: one that the IRS has stands in (e), and (g) puts it right.',
  E: 'The form shows the proceeds before what the sale cost, which is taken off here.',
  L: 'A gift sold between its two bases: this loss does not count.',
  O: 'Of what the merger brought this much is not recognized.',
  T: 'The form shows another term.',
  W: 'As the broker reported it.',
};

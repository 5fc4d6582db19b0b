import { formatDay } from '../../../base/day.ts';
import { formatCents, formatQuantity } from '../../../base/decimal.ts';
import { lacksBrokerNotice } from '../../../engine/book/broker-notice.ts';
import { resolveLotMethod } from '../../../engine/book/method-in-force.ts';
import { isDigital } from '../../../engine/events/classes.ts';
import { isAllowed, lotMethodTable } from '../../../engine/lot-methods.ts';
import type { Disposal, LotMethod, Rules, Transaction } from '../../../engine/model.ts';
import { type SaleToIdentify, standingOrderFor } from '../../../engine/rules/lots/standing-orders.ts';
import { columnB, describe } from '../../../forms/lines.ts';
import { unknownDate } from '../../../forms/missing-basis.ts';
import { type AmountPart, hasNoProceeds, ordinalOf, partView } from './amount-parts.ts';
import { basisParts, proceedsParts } from './column-parts.ts';
import {
  acquiredTexts,
  basisTexts,
  type CitedText,
  determineLineKind,
  giftBasisText,
  type LineContext,
  type LineKind,
  mergerBasisText,
  proceedsTexts,
} from './line-kinds.ts';

/** Explains each column of the line: its value, the reason with citations, and the parts of its amount. */
export function buildSteps(context: LineContext) {
  const { disposal } = context.line;
  const sale = context.rows.get(disposal.saleId);
  const opener = context.rows.get(context.openers[0] ?? '');
  const kind = determineLineKind(disposal, sale, opener);
  return [
    step('(a)', describe(disposal), {
      text: 'The property sold and its quantity.',
      citations: ['Instructions for Form 8949, column (a)'],
    }),
    step('(b)', acquiredText(context), acquiredStep(context, kind, sale)),
    step('(c)', formatDay(disposal.sold), soldStep(disposal, kind)),
    step(
      '(d)',
      formatCents(disposal.proceeds),
      proceedsStep(disposal, kind, sale),
      proceedsParts(context, kind, sale, opener),
    ),
    step('(e)', formatCents(disposal.basis), basisStep(context, kind, opener), basisParts(context, kind, sale, opener)),
    ...adjustmentSteps(context),
    step('(h)', formatCents(context.line.gain), { text: '(d) − (e) + (g).', citations: ['Form 8949'] }, [
      { text: '(d)', cents: disposal.proceeds },
      { text: 'Less (e)', cents: -disposal.basis },
      ...(context.line.adjustment === 0n ? [] : [{ text: '(g)', cents: context.line.adjustment }]),
    ]),
    step('box', disposal.box, {
      text: disposal.boxReason,
      citations: ['Instructions for Form 8949, Parts I and II, check boxes'],
    }),
  ];
}

function step(column: string, value: string, { text, citations }: CitedText, parts: readonly AmountPart[] = []) {
  return { column, value, text, citations: [...citations], parts: parts.map(partView) };
}

/** Returns column (b) as printed on the forms. */
function acquiredText({ line: { disposal }, columnB: choice }: LineContext): string {
  if (disposal.inherited) return 'INHERITED';
  if (disposal.purchaseUnknown) return unknownDate;
  return disposal.acquiredVarious ? 'VARIOUS' : formatDay(columnB(disposal, choice));
}

function acquiredStep(
  { line: { disposal }, rules }: LineContext,
  kind: LineKind,
  sale: Transaction | undefined,
): CitedText {
  const chosen = acquiredTexts[kind] ?? explainLotChoice(disposal, sale, rules);
  if (disposal.heldSince === disposal.acquired || kind === 'short') return chosen;
  const [bought, held] = [formatDay(disposal.acquired), formatDay(disposal.heldSince)];
  const restarted = disposal.heldSince > disposal.acquired;
  const why = restarted
    ? 'because closing a short sale restarted it'
    : 'because it includes the holding period of other property';
  return {
    text: `${chosen.text} It was acquired on ${bought}. Its holding period begins on ${held}, ${why}.`,
    citations: [...chosen.citations, restarted ? 'IRC 1233(b)(2)' : 'IRC 1223'],
  };
}

function soldStep(disposal: Disposal, kind: LineKind): CitedText {
  if (kind === 'fund') {
    const text = disposal.code.includes('Z')
      ? 'Blank on the form. The term is the same as that of the gain.'
      : 'The date of the inclusion event. The term is the same as that of the deferred gain.';
    return { text, citations: ['26 CFR 1.1400Z2(a)-1(c)(1)'] };
  }
  if (kind === 'written') {
    const text =
      'The day on which the option was written. The gain or loss is short-term, regardless of how long the option was open.';
    return { text, citations: ['IRC 1234(b)(1)'] };
  }
  if (disposal.purchaseUnknown) {
    const text = 'The purchase is missing, so the term is unknown. The line is in Part I until you enter the purchase.';
    return { text, citations: ['Form 8949, Part I'] };
  }
  if (disposal.inherited) {
    const text = 'Inherited property is long-term, regardless of the holding period.';
    return { text, citations: ['IRC 1223(9)'] };
  }
  const term = disposal.term === 'long' ? 'more than one year' : 'one year or less';
  if (kind === 'short') {
    const text = `The day of delivery. Held ${term}, based on the delivered property and property held while the short sale was open.`;
    return { text, citations: ['IRC 1222, 1233(b), (d)'] };
  }
  const text = `Held ${term}. The day of acquisition does not count. The day of sale counts.`;
  return { text, citations: ['IRC 1222; Rev. Rul. 66-7'] };
}

function proceedsStep(disposal: Disposal, kind: LineKind, sale: Transaction | undefined): CitedText {
  const text =
    sale !== undefined && hasNoProceeds(sale, ordinalOf(disposal.id))
      ? 'The proceeds are not known in dollars. They count as zero until you enter them.'
      : 'These units’ share of the proceeds, minus fees.';
  return proceedsTexts[kind] ?? { text, citations: ['IRC 1001(b)'] };
}

function basisStep(
  { line: { disposal }, history }: LineContext,
  kind: LineKind,
  opener: Transaction | undefined,
): CitedText {
  if (disposal.basisUnknown) {
    const text = 'The basis is not known. It counts as zero until you enter it.';
    return { text, citations: ['IRC 1011, 1012'] };
  }
  if (kind === 'merger') return mergerBasisText(disposal);
  if (kind === 'gift') return giftBasisText(disposal, opener);
  if (history !== null && history.pool !== null) {
    const text = 'These units’ share of the average basis.';
    return { text, citations: ['IRC 1012(c), (d); 26 CFR 1.1012-1(e)(7)'] };
  }
  const text = 'These units’ share of the lot’s basis, including purchase fees. The rest stays with the lot.';
  return basisTexts[kind] ?? { text, citations: ['IRC 1011, 1012'] };
}

function adjustmentSteps({ line, washes, boughtOn }: LineContext) {
  const { code, adjustment, disposal } = line;
  if (adjustment === 0n && code === '') return [];
  const units = washes.map((wash) => formatQuantity(wash.quantity)).join(' + ');
  const sum = washes.reduce((total, wash) => total + wash.disallowed, 0n) as typeof adjustment;
  const disallowed = `${formatCents(sum)} of the loss is disallowed: ${units} units were replaced within 30 days.`;
  const codeTexts = [...code].flatMap((letter) =>
    letter === 'W' && washes.length > 0 ? [] : (textByCode[letter] ?? []),
  );
  const text = [...(washes.length > 0 ? [disallowed] : []), ...codeTexts].join(' ');
  const citations = [
    ...(washes.length > 0 ? ['IRC 1091; 26 CFR 1.1091-1'] : []),
    ...(codeTexts.length > 0 ? ['Instructions for Form 8949, columns (f) and (g)'] : []),
  ];
  const parts = washes.map(({ quantity, disallowed: cents, permanent, replacementTransactionId: row }): AmountPart => {
    const text = `${formatQuantity(quantity)} units replaced by an acquisition on ${boughtOn.get(row) ?? 'an earlier day'}`;
    return { text: permanent ? `${text} in an IRA: disallowed permanently` : text, cents };
  });
  const other: AmountPart[] =
    disposal.adjustment === 0n ? [] : [{ text: codeTexts.join(' ') || 'As stated', cents: disposal.adjustment }];
  return [step('(f), (g)', `${code} ${formatCents(adjustment)}`.trim(), { text, citations }, [...parts, ...other])];
}

const textByCode: Readonly<Record<string, string>> = {
  B: 'The broker reported a different basis. Column (e) repeats the basis reported to the IRS. Column (g) corrects it.',
  C: 'The asset is a collectible, so this is a 28% rate gain or loss.',
  E: 'The broker reported the proceeds before selling expenses. Column (g) deducts the expenses.',
  L: 'A gift was sold for an amount between its two bases. The loss is not allowed.',
  O: 'This part of the gain or loss on the merger is not recognized.',
  T: 'The broker reported a different term.',
  W: 'The broker reported this disallowed loss.',
  Y: 'A gain deferred in an opportunity fund is included: the lesser of the gain and the value, less 10% of the gain after five years and 15% after seven.',
  Z: 'A gain invested in an opportunity fund is deferred until the interest is disposed of, or until December 31, 2026.',
};

/** Explains what picked the lot of a line: the row, a standing order or a lot method. */
function explainLotChoice(disposal: Disposal, sale: Transaction | undefined, rules: Rules): CitedText {
  const { account, asset, assetClass, on, identified } = disposal;
  if (sale !== undefined && disposal.lotId.startsWith(sale.id)) {
    return {
      text: 'The units were withheld from the units that the same row acquired.',
      citations: ['26 CFR 1.1012-1(j)(3)(iii)'],
    };
  }
  const choosing: SaleToIdentify = { account, asset, on: sale?.on ?? on, at: sale?.at ?? null };
  const standing = standingOrderFor(rules, choosing);
  const method = resolveLotMethod(rules, account, assetClass, choosing.on, standing);
  const citations = [`26 CFR 1.1012-1(${lotMethodTable[method].isAveraged ? 'e' : isDigital(assetClass) ? 'j' : 'c'})`];
  const order = standing?.order ?? undefined;
  const byOrder = order && `the standing order for ${order.method}, made ${order.madeAt}`;
  const namesLots = sale !== undefined && sale.lots.length > 0;
  const byMethod = byOrder ?? methodText(rules, disposal, method);
  if (identified === 'identified') {
    if (byOrder !== undefined && !namesLots) return { text: `Lot picked by ${byOrder}.`, citations };
    const or = byOrder === undefined ? '' : ` or ${byOrder}`;
    return { text: `Lot identified in time by the row${or}.`, citations };
  }
  if (identified === 'default') return { text: `Lot picked by ${byMethod}.`, citations };
  if (lacksBrokerNotice(rules, { account, assetClass, on: choosing.on }, standing?.order ?? null)) {
    const notice =
      'From 2027 on, the broker must be notified which lots are sold. It was not notified (Notice 2026-20).';
    return { text: `${notice} Lot picked by FIFO.`, citations: ['26 CFR 1.1012-1(j)(3)(i)'] };
  }
  if (namesLots && rules.lateIdentification === 'accepted') {
    return {
      text: 'The lot was identified too late. The identification counts because of your lateIdentification setting.',
      citations,
    };
  }
  const late = namesLots
    ? 'The row identified its lots too late.'
    : `A standing order for ${standing?.late ?? 'other lots'} was made after the sale.`;
  return { text: `${late} Lot picked by ${byMethod}.`, citations };
}

/** Returns the lot method and the setting that chose it: for the account, from a certain year on, or as the default. */
function methodText(rules: Rules, { account, assetClass }: Disposal, method: LotMethod): string {
  if (rules.methodByAccount[account] === method) return `${method}, the method of ${account}`;
  const stated = rules.methodByAccount[account] ?? rules.method;
  if (!isAllowed(stated, assetClass)) return 'FIFO, because only shares of funds can be averaged';
  const from = rules.methodFrom.findLast((change) => change.method === method);
  return from !== undefined && rules.method !== method
    ? `${method}, your method from ${from.year} on`
    : `${method}, your method`;
}

import { formatDay } from '../../../base/day.ts';
import { formatCents, formatQuantity, proportion, type Quantity } from '../../../base/decimal.ts';
import { lacksBrokerNotice } from '../../../engine/book/broker-notice.ts';
import { resolveLotMethod } from '../../../engine/book/method-in-force.ts';
import { isDigital } from '../../../engine/events/classes.ts';
import { maySellShort } from '../../../engine/events/keys.ts';
import { isAllowed, lotMethodTable } from '../../../engine/lot-methods.ts';
import type { Disposal, Lot, LotMethod, Rules, Transaction } from '../../../engine/model.ts';
import { withoutForm1099 } from '../../../engine/rules/lines/shown-basis.ts';
import { type SaleToIdentify, standingOrderFor } from '../../../engine/rules/lots/standing-orders.ts';
import { buildLines } from '../../../engine/rules/year/year.ts';
import type { LotChange } from '../../../engine/transaction-types.ts';
import { columnB, describe, toFactId, urlSafe } from '../../../forms/lines.ts';
import { unknownDate } from '../../../forms/missing-basis.ts';
import { isUuid } from '../../../http/errors.ts';
import { selectTaxpayer } from '../../ledger/books/books.queries.ts';
import { selectFactsOn, selectTransactionDisposals } from '../../ledger/books/facts.queries.ts';
import { lineView } from '../../ledger/books/line-members.ts';
import { addValuations } from '../../ledger/prices/valuations.ts';
import { loadAssetNames } from '../../ledger/transactions/asset-names/asset-names.ts';
import { toElections } from '../../ledger/transactions/elections.ts';
import { selectTransactions } from '../../ledger/transactions/list.queries.ts';
import {
  type AmountPart,
  computeCost,
  computeProceeds,
  computeStatedAmount,
  computeStrikeAmount,
  hasNoProceeds,
  ordinalOf,
  partsOfSale,
  partView,
  shareParts,
  typeName,
  type WholeAmount,
} from './amount-parts.ts';
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
import { type LotChangeDay, type LotHistory, readLotHistory } from './lot-history.ts';
import { type BooksReader, loadSources, type SourceRole, sumRole } from './sources.ts';

/** Explains each column of the line: its value, the reason with citations, and the parts of its amount. */
function buildSteps(context: LineContext) {
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
    ...adjustmentSteps(context, statesWages(sale, opener)),
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

/** Returns whether the basis includes wages, which brokers leave out of the basis that they report. */
function statesWages(sale: Transaction | undefined, opener: Transaction | undefined): boolean {
  return opener?.type === 'espp_purchase' || (sale !== undefined && sale.wages !== null);
}

function adjustmentSteps({ line, washes, boughtOn }: LineContext, hasWages: boolean) {
  const { code, adjustment, disposal } = line;
  if (adjustment === 0n && code === '') return [];
  const units = washes.map((wash) => formatQuantity(wash.quantity)).join(' + ');
  const sum = washes.reduce((total, wash) => total + wash.disallowed, 0n) as typeof adjustment;
  const disallowed = `${formatCents(sum)} of the loss is disallowed: ${units} units were replaced within 30 days.`;
  const codeTexts = [...code].flatMap((letter) =>
    letter === 'W' && washes.length > 0 ? [] : ((letter === 'B' && hasWages ? wagesText : textByCode[letter]) ?? []),
  );
  const text = [...(washes.length > 0 ? [disallowed] : []), ...codeTexts].join(' ');
  const citations = [
    ...(washes.length > 0 ? ['IRC 1091; 26 CFR 1.1091-1'] : []),
    ...(codeTexts.length > 0 ? ['Instructions for Form 8949, columns (f) and (g)'] : []),
    ...(hasWages && code.includes('B') ? ['IRC 83(a), 421(b), 423(c); 26 CFR 1.6045-1(d)(6)(ii)(A)'] : []),
  ];
  const parts = washes.map(({ quantity, disallowed: cents, permanent, replacementTransactionId: row }): AmountPart => {
    const text = `${formatQuantity(quantity)} units replaced by an acquisition on ${boughtOn.get(row) ?? 'an earlier day'}`;
    return { text: permanent ? `${text} in an IRA: disallowed permanently` : text, cents };
  });
  const other: AmountPart[] =
    disposal.adjustment === 0n ? [] : [{ text: codeTexts.join(' ') || 'As stated', cents: disposal.adjustment }];
  return [step('(f), (g)', `${code} ${formatCents(adjustment)}`.trim(), { text, citations }, [...parts, ...other])];
}

const wagesText =
  'The basis on the form leaves out the part that was taxed as wages. Column (g) corrects it, so that it is not taxed twice.';

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

/** Explains each number on a line of Form 8949. Returns undefined if the line does not exist. */
export async function explainLine(from: BooksReader, taxpayerId: string, id: string) {
  const { sql } = from;
  const factId = toFactId(id);
  const openedBy = parseTransactionId(factId);
  if (!isUuid(openedBy)) return undefined;
  const lines = await selectTransactionDisposals(sql, taxpayerId, openedBy);
  const disposal = lines.find((one) => one.id === factId);
  if (disposal === undefined) return undefined;
  const washes = (await selectFactsOn(sql, 'wash', { taxpayerId }, [formatDay(disposal.on)])).filter(
    (wash) => wash.disposalId === factId,
  );
  const [line] = buildLines([disposal], washes);
  if (line === undefined) return undefined;
  const taxpayer = await selectTaxpayer(sql, taxpayerId);
  const { rules, choices } = toElections(taxpayer.settings, taxpayer.time_zone);
  const named = [disposal.saleId, ...parseOpenerIds(disposal.lotId)];
  const rows = await addValuations(sql, taxpayerId, await selectTransactions(sql, taxpayerId, named));
  const history = rows.length === 0 ? null : await readLotHistory(sql, taxpayerId, disposal, rules, rows);
  const replacing = await selectTransactions(
    sql,
    taxpayerId,
    washes.map((wash) => wash.replacementTransactionId).filter(isUuid),
  );
  const context: LineContext = {
    ...{ line, lines, washes, rules, history },
    columnB: choices.columnB ?? 'held_when_term_differs',
    rows: new Map(rows.map((row) => [row.id, row])),
    openers: parseOpenerIds(disposal.lotId),
    boughtOn: new Map(replacing.map((row) => [row.id, row.on_day])),
  };
  const nameOf = await loadAssetNames(sql, taxpayerId, [disposal.asset]);
  const assetName = nameOf(disposal.asset, disposal.assetClass);
  // If the purchase is unknown, the sale itself opened the lot.
  const openers = context.openers.filter((row) => disposal.purchaseUnknown !== true || row !== disposal.saleId);
  return {
    disposal: { ...lineView(line), ...(assetName === undefined ? {} : { assetName }) },
    sources: await loadSources(from, taxpayerId, [
      [disposal.saleId, 'disposal'],
      ...openers.map((row): [string, SourceRole] => [row, 'lot']),
      ...(history === null ? [] : historyRoles(history)),
      ...washes.map((wash): [string, SourceRole] => [wash.replacementTransactionId, 'replacement']),
    ]),
    washSales: washes.map((wash) => ({
      replacementLotId: urlSafe(wash.replacementLotId),
      replacementTransactionId: urlSafe(wash.replacementTransactionId),
      quantity: formatQuantity(wash.quantity),
      disallowed: formatCents(wash.disallowed),
      permanent: wash.permanent,
    })),
    steps: buildSteps(context),
  };
}

/**
 * Returns the ids of the rows that opened a lot. The id of a lot starts with its row's id. The id of a spun-off lot
 * also contains the id of the parent's row.
 */
function parseOpenerIds(lotId: string): string[] {
  return [...new Set(lotId.split(/[/:]/).filter(isUuid))];
}

function historyRoles({ changes, losses, saleDayRows, consumed }: LotHistory): [string, SourceRole][] {
  const rows = [...changes.flatMap((change) => change.rows), ...saleDayRows];
  const positions = [...consumed.values()].flatMap((amounts) => [...amounts]);
  return [
    ...rows.map((row): [string, SourceRole] => [row.id, 'change']),
    ...losses.map((wash): [string, SourceRole] => [parseTransactionId(wash.disposalId), 'denied']),
    ...positions.map(([row, { role }]): [string, SourceRole] => [row, role]),
  ];
}

/** Returns the transaction id at the start of a fact's id. */
function parseTransactionId(id: string): string {
  return id.slice(0, Math.max(0, id.indexOf('/')));
}

/** Returns the parts of column (d), or an empty list if the amount is not a sum of amounts in the rows. */
function proceedsParts(
  { line: { disposal }, lines, history }: LineContext,
  kind: LineKind,
  sale: Transaction | undefined,
  opener: Transaction | undefined,
): AmountPart[] {
  if (kind === 'short' || kind === 'written') {
    if (opener === undefined || sale === undefined) return [];
    if (kind === 'short' && opener.type !== 'short_sell') {
      const cents = sumRole(history?.consumed.get(sale.on), 'short');
      const parts = [{ text: 'Received for the short sale', cents }];
      return partsOfSale({ quantity: 0n, cents, parts }, disposal, lines);
    }
    const whole = computeStatedAmount(
      opener,
      -1n,
      `Received for the ${kind === 'short' ? 'short sale' : 'written option'}`,
    );
    return shareParts(whole, disposal.quantity, disposal.proceeds, 'Less the share of the other units');
  }
  if (sale === undefined || kind === 'capital' || kind === 'reported' || kind === 'fund') return [];
  const usesOptions = sale.type === 'exercise' || sale.type === 'assign';
  const whole =
    kind === 'merger' || sale.type === 'split'
      ? computeStatedAmount(sale, -1n, `Cash of the ${sale.type} of ${formatDay(sale.on)}`)
      : usesOptions
        ? computeStrikeAmount(sale, history?.consumed.get(sale.on), -1n)
        : computeProceeds(sale, ordinalOf(disposal.id));
  return partsOfSale(whole, disposal, lines);
}

/**
 * Returns the cost of closing a short sale or a written option. If an option was exercised to close the short sale, the
 * strike amount is the cost.
 */
function computeClosingCost(sale: Transaction | undefined, history: LineContext['history']): WholeAmount | null {
  if (sale === undefined) return null;
  if (sale.type === 'exercise' || sale.type === 'assign')
    return computeStrikeAmount(sale, history?.consumed.get(sale.on), 1n);
  return computeStatedAmount(sale, 1n, `Cost of the ${typeName(sale)} of ${formatDay(sale.on)}`);
}

/** Returns the parts of column (e). */
function basisParts(
  context: LineContext,
  kind: LineKind,
  sale: Transaction | undefined,
  opener: Transaction | undefined,
): AmountPart[] {
  const { disposal } = context.line;
  const whole = withoutForm1099(disposal);
  const parts = trueBasisParts(context, whole, kind, sale, opener);
  const unknown = disposal.basis - whole.basis;
  if (parts.length === 0 || unknown === 0n) return parts;
  return [...parts, { text: 'Not included in the basis on the form', cents: unknown }];
}

function trueBasisParts(
  { rows, openers, history }: LineContext,
  disposal: Disposal,
  kind: LineKind,
  sale: Transaction | undefined,
  opener: Transaction | undefined,
): AmountPart[] {
  if (disposal.basisUnknown || kind === 'capital' || kind === 'reported' || kind === 'fund') return [];
  if (kind === 'merger' && !disposal.code.includes('O')) {
    const gain = { text: 'Less the recognized gain', cents: disposal.basis - disposal.proceeds };
    return [{ text: 'Cash of column (d)', cents: disposal.proceeds }, gain];
  }
  if (kind === 'gift' && disposal.proceeds === disposal.basis) {
    return [{ text: 'Proceeds of column (d)', cents: disposal.basis }];
  }
  if (kind === 'written' || (kind === 'short' && opener !== undefined && maySellShort(opener))) {
    const whole = computeClosingCost(sale, history);
    return shareParts(whole, disposal.quantity, disposal.basis, 'Less the share of the other units');
  }
  const purchase = rows.get(openers.at(-1) ?? '');
  if (purchase === undefined) return [];
  if (purchase.type === 'defer_gain') {
    const text = 'Deferred gain included so far, and the part that is never included (IRC 1400Z-2(b)(2)(B))';
    return [{ text, cents: disposal.basis }];
  }
  const inner = disposal.lotId.slice(disposal.lotId.indexOf(purchase.id));
  const usesOptions = purchase.type === 'exercise' || purchase.type === 'assign';
  const opened = usesOptions
    ? computeStrikeAmount(purchase, history?.consumed.get(purchase.on), 1n)
    : computeCost(purchase, ordinalOf(inner));
  const others = 'Less the share of the other units of the lot';
  const lot = computeLotBasis(opened, history);
  const direct = shareParts(lot, disposal.quantity, disposal.basis, others);
  if (direct.length > 0 || lot === null || lot.quantity <= 0n || purchase.type !== 'espp_purchase') return direct;
  const paid = proportion(lot.cents, disposal.quantity, lot.quantity);
  const income = { text: 'Ordinary income from these shares', cents: disposal.basis - paid };
  return [...shareParts(lot, disposal.quantity, paid, others), income];
}

/**
 * Returns the basis of the whole lot just before its sale, starting with the purchase. Returns null if the purchase has
 * no cost.
 */
function computeLotBasis(opened: WholeAmount | null, history: LotHistory | null): WholeAmount | null {
  if (history === null) return opened;
  if (history.pool !== null) {
    const { quantity, basis } = history.pool;
    const text = `Average basis of all ${formatQuantity(quantity as Quantity)} shares in the account`;
    return { quantity, cents: basis, parts: [{ text, cents: basis }] };
  }
  const first = history.changes[0];
  let [quantity, cents] = [opened?.quantity ?? 0n, opened?.cents ?? 0n];
  const parts = [...(opened?.parts ?? [])];
  const add = (text: string, part: bigint, always = false): void => {
    if (part !== 0n || always) parts.push({ text, cents: part });
    cents += part;
  };
  if (opened === null && first?.before == null && history.beforeSale === null) return null;
  for (const change of history.changes) {
    const { before, after, losses } = change;
    if (before !== null && opened === null && parts.length === 0) add(`Basis of ${lotText(before)}`, before.basis);
    if (before !== null)
      add(`Less the basis of units that left the lot before ${formatDay(change.on)}`, before.basis - cents);
    if (before === null && opened === null) add(`Basis of ${lotText(after)}`, after.basis);
    for (const { disallowed, quantity: units } of losses) {
      add(`Disallowed loss of ${formatQuantity(units)} units that these units replaced`, disallowed);
    }
    add(changeText(change), after.basis - cents, change.rows.length > 0);
    quantity = after.quantity;
  }
  if (history.beforeSale !== null) {
    add('Less the basis of units that left the lot before the sale', history.beforeSale.basis - cents);
    quantity = history.beforeSale.quantity;
  }
  return { quantity, cents, parts };
}

function changeText(change: LotChangeDay): string {
  const { on, before, after, rows } = change;
  const day = formatDay(on);
  const row = rows[0];
  if (row === undefined) return `Less the basis of the units that replaced no sold units on ${day}`;
  const textOf = textOfType(row.type);
  if (textOf !== undefined) return textOf(row, change, day);
  const now = lotText(after);
  return before?.account === after.account
    ? `Less the basis of units that left ${after.account} on ${day}: ${now} remain`
    : `Moved on ${day} to ${after.account}: ${now}${before?.quantity === after.quantity ? '' : ', the other units remain'}`;
}

type ChangeText = (row: Transaction, change: LotChangeDay, day: string) => string;

function textOfType(type: Transaction['type']): ChangeText | undefined {
  const texts: Readonly<Partial<Record<Transaction['type'], ChangeText>>> = changeTexts;
  return texts[type];
}

/** Describes the effect of each type of row on the lot. */
const changeTexts: Readonly<Record<LotChange, ChangeText>> = {
  split: (row, { after }, day) => `Split of ${row.asset} on ${day}: ${lotText(after)}`,
  return_of_capital: (_row, _change, day) => `Return of capital on ${day}`,
  bond_amortization: (_row, _change, day) => `Bond premium amortized on ${day}`,
  original_issue_discount: (_row, _change, day) => `Original issue discount included in income until ${day}`,
  spinoff: (row, { before, after }, day) =>
    after.asset === before?.asset
      ? `Less the basis allocated to ${row.receivedAsset}, spun off on ${day}`
      : `Less the basis that remains with ${row.asset}, which spun off ${row.receivedAsset} on ${day}: ${lotText(after)}`,
  merger: (_row, { after }, day) => `Merger on ${day}, less its cash, plus the recognized gain: ${lotText(after)}`,
  rename: (_row, { after }, day) => `Renamed on ${day}: ${lotText(after)}`,
};

function lotText({ quantity, asset }: Lot): string {
  return `${formatQuantity(quantity)} ${asset}`;
}

import { formatDay } from '../../base/day.ts';
import { formatQuantity, type Money, priceTimesQuantity, type Quantity } from '../../base/decimal.ts';
import type { TransactionType } from '../../engine/model.ts';
import { magnitude, noneIfZero, sum, toRatio } from '../cells/amounts.ts';
import { Cells, HeaderColumns } from '../cells/cells.ts';
import { readOption } from '../cells/option-symbol.ts';
import { rejections, skips } from '../cells/reasons.ts';
import type { ListedHolding } from '../format.ts';
import { brokerFormat, type Opener, type Outcome } from '../reader.ts';
import { type ActivityRow, activity } from '../tables/account-activity.ts';
import { checkMultiplier, optionAsset, sharesMoved } from '../tables/brokers.ts';
import { cash, cashFee } from '../tables/kinds.ts';
import { computeTolerance } from '../tables/stated-money.ts';
import { sweepFunds } from './fidelity.ts';

const fees = ['Commission', 'Fees', 'Taxes', 'Load', 'Penalty'];
const taxes = ['Withholding', 'State withholding'];

/**
 * Reads the investment accounts of OFX and QFX files, which `containers/ofx.ts` writes as rows. The total of a trade is
 * net of its fees. FITID identifies a transaction. Positions are the holdings that the broker states.
 */
export const ofx = brokerFormat(
  { id: 'ofx', name: 'OFX or QFX investment statement', source: 'Broker', ofAnyBroker: true },
  [
    {
      id: 'statement',
      price: 'Unit price',
      isFromDocument: true,
      header: 'Element | File line | FITID | Trade date | Symbol | Units | Unit price | Total | Currency',
    },
  ],
  withHoldings(
    activity({
      columns: {
        ...{ time: 'Trade date', kind: 'Element', asset: 'Symbol', name: 'Security name' },
        ...{ quantity: 'Units', price: 'Unit price', amount: 'Total', accrued: 'Accrued interest' },
      },
      fees,
      describes: ['Security name', 'Memo'],
      deliveries: 'any',
      word: (cells) => (cells.text('Reversal of') === '' ? cells.text('Element').toLowerCase() : 'reversal'),
      net: readNet,
      skip: findSkipReason,
      special: readDifferent,
      unknown: (cells) => rejections.notImported(cells.text('Element')),
      common: (cells) => ({
        currency: cells.text('Currency').toUpperCase() || 'USD',
        assetClass: cells.text('Security type') === 'DEBT' ? 'bond' : null,
        externalId: cells.text('FITID'),
        note: cells.text('Memo'),
      }),
      kinds: [
        ['reversal', { refuse: rejections.cancelsTrade }],
        [/^buy(?:stock|mf) buytocover$/, 'cover'],
        [/^buy(?:stock|mf|debt|other)(?: buy)?$/, 'buy'],
        [/^sell(?:stock|mf) sellshort$/, 'short_sell'],
        [/^sell(?:stock|mf|debt|other)(?: sell)?$/, 'sell'],
        ['buyopt buytoopen', 'buy_to_open'],
        ['buyopt buytoclose', 'buy_to_close'],
        ['sellopt selltoopen', 'sell_to_open'],
        ['sellopt selltoclose', 'sell_to_close'],
        ['closureopt expire', 'expire'],
        ['closureopt assign', 'assign'],
        ['closureopt exercise', 'exercise'],
        // A short-term gain distributed by a fund is an ordinary dividend (Pub. 550, "Capital Gain Distributions").
        [/^income (?:div|cgshort)$/, 'dividend'],
        ['income cglong', 'capital_gain_distribution'],
        ['income interest', 'interest'],
        ['income misc', 'other_income'],
        [/^reinvest (?:div|cgshort)$/, (row) => readReinvestment(row, 'dividend')],
        ['reinvest cglong', (row) => readReinvestment(row, 'capital_gain_distribution')],
        ['reinvest interest', (row) => readReinvestment(row, 'interest')],
        ['reinvest misc', (row) => readReinvestment(row, 'other_income')],
        ['retofcap', 'return_of_capital'],
        ['split', readSplit],
        [/^transfer (?:in|out)(?: long)?$/, readTransfer],
        [/^transfer\b/, { refuse: rejections.sharesUnexplained }],
        ['jrnlsec', { skip: skips.movedWithinAccount }],
        ['jrnlfund', { skip: skips.movedWithinAccount }],
        ['margininterest', { skip: skips.chargedInterest }],
        [/^(?:invexpense|invbanktran (?:fee|srvchg))$/, cashFee],
        ['invbanktran int', 'interest'],
        ['invbanktran div', 'dividend'],
        [/^invbanktran (?:credit|other)$/, readPayment],
        [/^(?:invbanktran|stmttrn)\b/, cash],
        [/^oo[a-z]+/, { skip: skips.orderNotFilled }],
      ],
    }),
  ),
);

/** Reads the change in cash. Some brokers write purchases without the minus sign. */
function readNet(cells: Cells): Money | null {
  const element = cells.text('Element').toLowerCase();
  const total = cells.money('Total');
  if (total === null) return null;
  if (/^sell/.test(element)) {
    const withheld = sum(...taxes.map((column) => magnitude(cells.money(column)))) ?? 0n;
    return (total + withheld + accruedBeyond(cells, total)) as Money;
  }
  if (!/^(?:buy|reinvest)/.test(element)) return total;
  return (-(magnitude(total) ?? 0n) - accruedBeyond(cells, total)) as Money;
}

/** Returns the accrued interest of a bond if the total is only the price of the bond. */
function accruedBeyond(cells: Cells, total: Money): bigint {
  const accrued = magnitude(cells.money('Accrued interest')) ?? 0n;
  const units = magnitude(cells.quantity('Units'));
  const price = cells.price('Unit price');
  if (accrued === 0n || units === null || price === null) return 0n;
  const worth = (priceTimesQuantity(price, formatQuantity(units)) ?? 0n) / 100n;
  const fees = sum(cells.money('Commission'), cells.money('Fees')) ?? 0n;
  const difference = (magnitude(total) ?? 0n) - worth;
  const tolerance = computeTolerance(price, formatQuantity(units)) + (magnitude(fees as Money) ?? 0n);
  return difference <= tolerance && difference >= -tolerance ? accrued : 0n;
}

const settlementFunds: ReadonlySet<string> = new Set([...sweepFunds, 'VMFXX']);

/** Skips purchases and sales of the account's cash fund, and elements of an unknown kind that move nothing. */
function findSkipReason({ cells, symbol, word }: ActivityRow, kind: unknown): string | null {
  if (
    settlementFunds.has(symbol) &&
    /^(?:buy|sell)mf|^reinvest/.test(word) &&
    /^1(?:\.0+)?$/.test(cells.text('Unit price'))
  )
    return word.startsWith('reinvest') ? null : skips.cashSweep;
  const moves = ['Units', 'Total', 'New units', 'Fraction cash'].some((column) => /[^0.\s-]/.test(cells.text(column)));
  return moves || /^(?:split|closureopt)\b/.test(word) || kind !== undefined ? null : skips.nothingMoved;
}

/** The columns with money that an element of each kind can have. Money in any other column rejects the row. */
const moneyOfElements: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^sell/, [...fees, ...taxes, 'Accrued interest', 'Total']],
  [/^(?:buy|reinvest)/, [...fees, 'Withholding', 'Accrued interest', 'Total']],
  [/^closureopt/, [...fees, 'Total']],
  [/^split/, ['Fraction cash']],
  [/^transfer/, []],
  [/^/, ['Withholding', 'Total']],
];

function rejectOtherMoney({ cells, word }: ActivityRow): void {
  const known = moneyOfElements.find(([element]) => element.test(word))?.[1] ?? [];
  for (const column of [...fees, ...taxes, 'Accrued interest', 'Total', 'Fraction cash'])
    if (!known.includes(column) && (cells.money(column) ?? 0n) !== 0n) cells.reject(column, rejections.moneyLeft);
}

/** Checks what only some elements have. Returns null if the row needs no other reading. */
function readDifferent(row: ActivityRow, type: TransactionType | 'transfer'): Outcome | null {
  const { cells, option, word } = row;
  rejectOtherMoney(row);
  if (/^buy/.test(word) && (row.quantity ?? 0n) < 0n) return cells.rejected('Units', rejections.signContradicts);
  if (option !== undefined && /opt\b/.test(word)) checkMultiplier(cells, 'Shares per contract', option);
  const withheld = noneIfZero(magnitude(cells.money('Withholding')));
  if (type === 'sell' && withheld !== null) {
    const { asset, common } = row;
    return cells.read(row.time, row.stateTrade(type), { ...common, asset, type: 'withholding', amount: withheld });
  }
  if (withheld !== null) return cells.rejected('Withholding', rejections.taxMayBeIncluded);
  if (type !== 'interest') return null;
  if ((row.net ?? 0n) < 0n && word.startsWith('invbanktran')) return cells.skip(skips.chargedInterest);
  return cells.text('Exempt').toUpperCase() === 'Y' ? row.readIncome(type, { note: 'tax-exempt interest' }) : null;
}

/** Reads income and the purchase made with it. */
function readReinvestment(row: ActivityRow, type: TransactionType): Outcome {
  const { cells, common } = row;
  const asset = row.needAsset();
  rejectOtherMoney(row);
  if ((cells.money('Withholding') ?? 0n) !== 0n) return cells.rejected('Withholding', rejections.taxMayBeIncluded);
  const income = { ...common, assetClass: null, type, asset, amount: magnitude(cells.money('Total')) };
  return cells.read(row.time, income, row.stateTrade('buy'));
}

/** Reads a split. Its ratio must agree with the units before and after it. */
function readSplit(row: ActivityRow): Outcome {
  const { cells, asset, common, time } = row;
  rejectOtherMoney(row);
  const [fresh, old] = ['New units', 'Old units'].map((column) => magnitude(cells.quantity(column)));
  const [numerator, denominator] = ['Numerator', 'Denominator'].map((column) => magnitude(cells.quantity(column)));
  if ((cells.money('Fraction cash') ?? 0n) !== 0n) return cells.rejected('Fraction cash', rejections.fractionMissing);
  const stated = numerator && denominator ? ([numerator, denominator] as const) : null;
  const held = fresh && old ? ([fresh, old] as const) : null;
  if (stated !== null && held !== null) {
    const difference = held[0] - (held[1] * stated[0]) / stated[1];
    if (difference >= oneUnit || difference <= -oneUnit)
      return cells.rejected('Numerator', rejections.newSharesUnclear);
  }
  const ratio = cells.need('Numerator', stated ?? held);
  return cells.read(time, { ...common, type: 'split', asset, ratio: ratio === null ? null : toRatio(...ratio) });
}

const oneUnit = 10n ** 18n;

/**
 * Reads securities that came from or went to another account. The lots of that account give their cost, so a cost in
 * this row is only a note. It may be of a share or of all shares, because the specification does not say which.
 */
function readTransfer(row: ActivityRow): Outcome {
  const { cells, common, option, word } = row;
  const asset = row.needAsset();
  rejectOtherMoney(row);
  const quantity = cells.need('Units', row.quantity);
  if (quantity === 0n) return cells.skip(skips.nothingMoved);
  const named = option === undefined ? { asset } : optionAsset(option);
  const type = word.startsWith('transfer out') ? 'withdrawal' : 'deposit';
  const note = [common.note, ...listStatedCost(cells)].filter((text) => text !== '').join('. ');
  return cells.read(row.time, { ...common, ...sharesMoved(quantity), ...named, type, note });
}

/** Returns what a transfer states about the cost of its securities, as texts for the user. */
function listStatedCost(cells: Cells): string[] {
  return Object.entries(costColumns).flatMap(([column, label]) => {
    const text = cells.text(column);
    return /[1-9]/.test(text) ? [`${label}: ${text}`] : [];
  });
}

const costColumns = {
  'Average cost': 'Average cost basis in the file',
  'Unit price': 'Unit price in the file',
  'Purchase date': 'Purchase date in the file',
};

/** Skips cash, unless its text shows that it may be income. */
function readPayment({ cells, net }: ActivityRow): Outcome {
  const isIncome =
    (net ?? 0n) > 0n && /\b(?:dividends?|interest|distribution|cap(?:ital)? gains?)\b/i.test(cells.text('Memo'));
  return isIncome ? cells.rejected('Element', rejections.paymentUnexplained) : cells.skip(skips.cashMoved);
}

/** Reads positions beside the transactions. */
function withHoldings(open: Opener): Opener {
  return (layout, header, context, conventions) => {
    const reader = open(layout, header, context, conventions);
    const columns = new HeaderColumns(header);
    const holdings = new Map<string, ListedHolding>();
    return {
      read: (row) => {
        const cells = new Cells(row, columns, context, conventions);
        if (!/^POS[A-Z]/i.test(cells.text('Element'))) return reader.read(row);
        addHolding(holdings, cells);
        return [cells.skip(skips.balanceRow)];
      },
      end: () => reader.end(),
      listHoldings: () => [...holdings.values()],
    };
  };
}

/** Adds a position. An account may hold one security in several parts. */
function addHolding(holdings: Map<string, ListedHolding>, cells: Cells): void {
  const symbol = cells.text('Symbol').toUpperCase();
  const option = readOption(cells.text('Symbol'));
  const asset = option === undefined ? symbol : (optionAsset(option).asset ?? '');
  const [units, time] = [magnitude(cells.quantity('Units')), cells.time('Trade date')];
  // The units of a short position are owed, not held.
  const isLong = /\blong\b/i.test(cells.text('Element'));
  if (!isLong || cells.flawed || asset === '' || units === null || time === null || settlementFunds.has(symbol)) return;
  const before = holdings.get(asset)?.quantity ?? 0n;
  holdings.set(asset, { asset, day: formatDay(time.on), until: time.at, quantity: (before + units) as Quantity });
}

import { formatMoney } from '../../base/decimal.ts';
import { magnitude, sum } from '../cells/amounts.ts';
import { withLines } from '../cells/joiner.ts';
import { rejections } from '../cells/reasons.ts';
import { brokerFormat, type Cells, type Outcome, rowsInGroups } from '../reader.ts';
import { computeWorth, readActivity } from '../tables/activity.ts';
import { cash, type Kinds, readRowKind } from '../tables/kinds.ts';
import { readVest } from '../tables/stock-plans.ts';

/**
 * Reads Schwab Equity Awards Center files. Each event has a line, with undated detail lines below it. A lapse is wages:
 * the shares left after taxes, and the value of the shares withheld. A deposit from a purchase plan is a purchase with
 * its value and its offering date. A dividend is net of its fees.
 */
export const schwabAwards = brokerFormat(
  { id: 'schwab-awards', name: 'Schwab Equity Awards Center', source: 'Schwab Equity Awards' },
  [
    {
      id: 'awards',
      header: `Date | Action | Symbol | Description | Quantity | FeesAndCommissions | DisbursementElection | Amount |
        AwardDate | AwardId | FairMarketValuePrice | NetSharesDeposited`,
    },
  ],
  rowsInGroups(
    () => new AwardsReader(),
    (cells, rows) => rows.read(cells),
  ),
);

const kinds: Kinds = [
  ['lapse', 'buy'],
  [/^(?:sale|forced quick sell|quick sale)$/, 'sell'],
  ['dividend', 'dividend'],
  [/^tax withholding|^nra/, 'withholding'],
  [/^(?:wire transfer|journal|check|tax reversal|disbursement)/, cash],
  ['deposit', { refuse: rejections.depositCostMissing }],
];

/** The maximum number of details for one event. */
const detailsMax = 1000;

class AwardsReader {
  private event: Cells | undefined;
  private details: Cells[] = [];

  read(cells: Cells): readonly Outcome[] {
    if (cells.text('Date') === '' && cells.text('Action') === '') {
      if (this.event === undefined || this.details.length >= detailsMax)
        return [cells.rejected('Date', rejections.eventMissing)];
      this.details.push(cells);
      return [];
    }
    const done = this.end();
    this.event = cells;
    return done;
  }

  end(): readonly Outcome[] {
    const { event, details } = this;
    this.event = undefined;
    this.details = [];
    return event === undefined ? [] : finish(event, details);
  }
}

function finish(event: Cells, details: readonly Cells[]): Outcome[] {
  const outcome = readEvent(event, details);
  const rows = [event, ...details];
  if (outcome.kind !== 'rejected')
    return [
      withLines(
        outcome,
        rows.map(({ line }) => line),
      ),
    ];
  return rows.map((row) => row.rejected(outcome.issue.column, outcome.issue));
}

function readEvent(event: Cells, details: readonly Cells[]): Outcome {
  if (isPlanPurchase(event, details)) return readPlanPurchase(event, details);
  const kind = readRowKind(event, 'Action', kinds);
  const time = event.time('Date');
  const asset = event.text('Symbol').toUpperCase();
  const quantity = event.quantity('Quantity');
  const net = event.money('Amount');
  const ownFee = magnitude(event.money('FeesAndCommissions'));
  const feeOfDetails = sum(...details.map((detail) => magnitude(detail.money('FeesAndCommissions'))));
  const fee = ownFee ?? feeOfDetails;
  if (typeof kind !== 'string') return event.flawed ? event.refused() : kind;
  const columns = { asset: 'Symbol', quantity: 'Quantity', amount: 'Amount' };
  const common = { note: event.text('Description') };
  if (ownFee !== null && feeOfDetails !== null && feeOfDetails !== ownFee)
    event.warn(
      `the fee of the event, ${formatMoney(ownFee)}, does not match the fees of its details, ${formatMoney(feeOfDetails)}`,
    );
  if (kind !== 'buy') return readActivity(event, time, kind, columns, { asset, quantity, net, fee }, common);
  if ((net ?? 0n) !== 0n) event.reject('Amount', rejections.moneyLeft);
  if ((fee ?? 0n) !== 0n) event.reject('FeesAndCommissions', rejections.moneyLeft);
  const shares = details.map((detail) => detail.quantity('NetSharesDeposited'));
  const values = details.map((detail, index) => computeWorth(detail, 'FairMarketValuePrice', shares[index] ?? null));
  const flawed = details.find((detail) => detail.flawed);
  if (flawed !== undefined) return flawed.refused();
  const externalId = details.map((detail) => detail.text('AwardId')).join('/');
  const withheld = details.map((detail) =>
    computeWorth(detail, 'FairMarketValuePrice', detail.quantity('SharesSoldWithheldForTaxes')),
  );
  const vested = { asset, column: 'NetSharesDeposited', shares: sum(...shares), value: sum(...values) };
  return readVest(
    event,
    time,
    { ...vested, common: { ...common, externalId } },
    { column: 'FairMarketValuePrice', value: sum(...withheld) },
  );
}

/** Returns whether an event deposits shares of a purchase plan: its detail states the purchase. */
function isPlanPurchase(event: Cells, details: readonly Cells[]): boolean {
  return /^deposit$/i.test(event.text('Action')) && details[0] !== undefined && details[0].text('PurchasePrice') !== '';
}

function readPlanPurchase(event: Cells, details: readonly Cells[]): Outcome {
  const [detail] = details as [Cells];
  if (details.length > 1) return event.rejected('Quantity', rejections.depositCostMissing);
  const quantity = event.quantity('Quantity');
  const amount = computeWorth(detail, 'PurchasePrice', quantity);
  const fmv = computeWorth(detail, 'PurchaseFairMarketValue', quantity);
  const time = detail.time('PurchaseDate');
  const offered = detail.text('SubscriptionDate') === '' ? null : detail.day('SubscriptionDate');
  if (detail.flawed) return detail.refused();
  return event.read(time, {
    type: 'espp_purchase',
    asset: event.text('Symbol').toUpperCase(),
    quantity: event.need('Quantity', quantity),
    amount,
    fmv,
    offered,
    note: event.text('Description'),
  });
}

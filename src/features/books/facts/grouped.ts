import type { Day } from '../../../base/day.ts';
import type { Cents, Quantity } from '../../../base/decimal.ts';
import type { Disposal, WashSale } from '../../../engine/model.ts';

/**
 * Disposals and wash sales as they are stored: by groups of those of a day that say the same but for their lots, of each
 * group what is said once and a text of lines. A busy book has hundreds of thousands of them, and writing a group costs
 * what a row does.
 */
export interface DisposalGroup extends Pick<Disposal, SaidOnce> {
  readonly count: number;
  readonly lines: string;
}

type SaidOnce =
  | 'causedOn'
  | 'on'
  | 'asset'
  | 'assetClass'
  | 'account'
  | 'inherited'
  | 'sold'
  | 'term'
  | 'box'
  | 'boxReason'
  | 'shortSale'
  | 'expired'
  | 'code'
  | 'basisUnknown'
  | 'identified'
  | 'acquiredVarious'
  | 'description';

export interface WashSaleGroup extends Pick<WashSale, 'causedOn' | 'on' | 'permanent'> {
  readonly count: number;
  readonly lines: string;
}

/** Neither is in any id. */
const [lineEnd, cellEnd] = ['\u001e', '\u001f'];
/** A group is read as a whole. */
const linesPerGroup = 1_000;
/** So many of the last groups are looked through for one to join. */
const groupsTried = 8;

/** The groups of one day, made line by line. */
export class Groups<Fact extends Disposal | WashSale, Group extends { count: number; lines: string }> {
  readonly all: Group[] = [];

  constructor(
    private readonly joins: (group: Group, fact: Fact) => boolean,
    private readonly open: (fact: Fact) => Group,
    private readonly lineOf: (fact: Fact) => string,
  ) {}

  add(fact: Fact): void {
    const line = this.lineOf(fact);
    const group = this.groupOf(fact);
    group.lines = group.count === 0 ? line : `${group.lines}${lineEnd}${line}`;
    group.count += 1;
  }

  private groupOf(fact: Fact): Group {
    const first = Math.max(0, this.all.length - groupsTried);
    for (let at = this.all.length - 1; at >= first; at--) {
      const group = this.all[at] as Group;
      if (group.count < linesPerGroup && this.joins(group, fact)) return group;
    }
    const group = this.open(fact);
    this.all.push(group);
    return group;
  }
}

type Growing<Group> = Omit<Group, 'count' | 'lines'> & { count: number; lines: string };

export type DisposalGroups = Groups<Disposal, Growing<DisposalGroup>>;
export type WashSaleGroups = Groups<WashSale, Growing<WashSaleGroup>>;

export function disposalGroups(): DisposalGroups {
  return new Groups(isSaidAlike, openDisposals, disposalLine);
}

export function washSaleGroups(): WashSaleGroups {
  return new Groups(
    (group, wash) => group.on === wash.on && group.permanent === wash.permanent,
    ({ causedOn, on, permanent }) => ({ causedOn, on, permanent, count: 0, lines: '' }),
    washSaleLine,
  );
}

function isSaidAlike(a: Growing<DisposalGroup>, b: Disposal): boolean {
  return (
    a.on === b.on &&
    a.term === b.term &&
    a.asset === b.asset &&
    a.account === b.account &&
    a.box === b.box &&
    a.code === b.code &&
    a.sold === b.sold &&
    a.boxReason === b.boxReason &&
    a.assetClass === b.assetClass &&
    a.identified === b.identified &&
    a.inherited === b.inherited &&
    a.shortSale === b.shortSale &&
    a.basisUnknown === b.basisUnknown &&
    a.expired === b.expired &&
    a.description === b.description &&
    a.acquiredVarious === b.acquiredVarious
  );
}

function openDisposals(disposal: Disposal): Growing<DisposalGroup> {
  return {
    causedOn: disposal.causedOn,
    on: disposal.on,
    asset: disposal.asset,
    assetClass: disposal.assetClass,
    account: disposal.account,
    inherited: disposal.inherited,
    sold: disposal.sold,
    term: disposal.term,
    box: disposal.box,
    boxReason: disposal.boxReason,
    shortSale: disposal.shortSale,
    expired: disposal.expired,
    code: disposal.code,
    basisUnknown: disposal.basisUnknown,
    identified: disposal.identified,
    ...(disposal.acquiredVarious ? { acquiredVarious: true as const } : {}),
    description: disposal.description,
    count: 0,
    lines: '',
  };
}

function disposalLine(one: Disposal): string {
  const { id, saleId, acquired, heldSince } = one;
  const sale = beginsWith(id, saleId) ? '' : saleId;
  const held = heldSince === acquired ? '' : heldSince;
  const amounts = `${one.proceeds}${cellEnd}${one.basis}${cellEnd}${one.adjustment}`;
  return `${id}${cellEnd}${sale}${cellEnd}${one.lotId}${cellEnd}${one.quantity}${cellEnd}${acquired}${cellEnd}${held}${cellEnd}${amounts}`;
}

function washSaleLine(wash: WashSale): string {
  const { disposalId, replacementLotId: lot, replacementTransactionId: opener } = wash;
  const id = wash.id === `${disposalId}/${lot}` ? '' : wash.id;
  const by = beginsWith(lot, opener) ? '' : opener;
  return `${id}${cellEnd}${disposalId}${cellEnd}${lot}${cellEnd}${by}${cellEnd}${wash.quantity}${cellEnd}${wash.disallowed}`;
}

/** Ids of facts and lots are those of their transaction with more behind them. */
function beginsWith(id: string, transactionId: string): boolean {
  return id.indexOf('/') === transactionId.length && id.startsWith(transactionId);
}

/** Members stand in the order in which copies of reports have had them: digests of those are compared. */
export function disposalsOf(group: DisposalGroup): Disposal[] {
  const { causedOn, on, asset, assetClass, account, inherited, sold, term, box, boxReason, shortSale } = group;
  const { expired, code, basisUnknown, identified, description } = group;
  const various = group.acquiredVarious ? { acquiredVarious: true as const } : null;
  return group.lines.split(lineEnd).map((line) => {
    const [id = '', sale = '', lotId = '', units = '', since = '', held = '', ...amounts] = line.split(cellEnd);
    const saleId = sale === '' ? transactionIn(id) : sale;
    const quantity = BigInt(units) as Quantity;
    const acquired = Number(since) as Day;
    const heldSince = held === '' ? acquired : (Number(held) as Day);
    const [proceeds, basis, adjustment] = amounts.map((cents) => BigInt(cents)) as [Cents, Cents, Cents];
    return {
      ...{
        id,
        causedOn,
        on,
        saleId,
        lotId,
        asset,
        assetClass,
        account,
        quantity,
        acquired,
        heldSince,
        inherited,
        sold,
      },
      ...{ proceeds, basis, term, box, boxReason, shortSale, expired, code, adjustment, basisUnknown, identified },
      description,
      kind: 'disposal',
      ...various,
    };
  });
}

export function washSalesOf({ causedOn, on, permanent, lines }: WashSaleGroup): WashSale[] {
  return lines.split(lineEnd).map((line) => {
    const [named = '', disposalId = '', lot = '', opener = '', units = '', cents = ''] = line.split(cellEnd);
    return {
      id: named === '' ? `${disposalId}/${lot}` : named,
      causedOn,
      on,
      disposalId,
      replacementLotId: lot,
      replacementTransactionId: opener === '' ? transactionIn(lot) : opener,
      quantity: BigInt(units) as Quantity,
      disallowed: BigInt(cents) as Cents,
      permanent,
      kind: 'wash',
    };
  });
}

/** The transaction that an id of a fact or a lot begins with. */
export function transactionIn(id: string): string {
  return id.slice(0, Math.max(0, id.indexOf('/')));
}

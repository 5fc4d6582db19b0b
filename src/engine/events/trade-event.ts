import type { Day, Instant } from '../../base/day.ts';
import { type Money, type Quantity, zeroQuantity } from '../../base/decimal.ts';
import type { AssetClass, Transaction } from '../model.ts';
import { unstatedMembers } from '../unstated-members.ts';
import { type AcquireEvent, type DisposeEvent, daysCoveredFrom, orders } from './event.ts';
import type { AccountAsset, Ledger } from './ledger.ts';

/**
 * Returns the event of a plain trade (`ledger.ts`), as `buildEvents` does, but without the checks that a plain trade
 * has already passed.
 */
export function tradeEvent(ledger: Ledger, trade: number): AcquireEvent | DisposeEvent {
  const { account, asset, assetClass, key } = ledger.places[ledger.placeOf[trade] as number] as AccountAsset;
  const tx = new LedgerTrade(ledger, trade);
  const on = ledger.ons[trade] as Day;
  const at = ledger.instant(trade);
  const quantity = ledger.quantity(trade);
  const amount = ledger.amounts[trade] as number;
  const fee = ledger.fees[trade] as number;
  // Copied field by field, because spreading a head takes longer than everything else here.
  if (ledger.isSale[trade]) {
    return {
      tx,
      ordinal: 0,
      order: orders.dispose,
      on,
      at,
      key,
      asset,
      assetClass,
      account,
      kind: 'dispose',
      quantity,
      proceeds: BigInt(amount - fee) as Money,
      purpose: 'sale',
      fromReceived: false,
    };
  }
  return {
    tx,
    ordinal: 0,
    order: orders.acquire,
    on,
    at,
    key,
    asset,
    assetClass,
    account,
    kind: 'acquire',
    quantity,
    cost: BigInt(amount + fee) as Money,
    missing: 'value_missing',
    acquired: on,
    heldSince: on,
    inherited: false,
    purchasedOn: on,
    lossCost: null,
    used: zeroQuantity,
    coveredFrom: daysCoveredFrom[assetClass],
    shares: null,
    underlyingKey: null,
    right: null,
  };
}

/** The members that a plain trade never states, on a prototype that all trades share. */
class UnstatedMembers {}
Object.assign(UnstatedMembers.prototype, unstatedMembers);

type StatedMember = 'account' | 'asset' | 'assetClass' | 'quantity' | 'amount' | 'fee' | 'externalId';

/**
 * A plain trade as the transaction of its event. It reads the ledger, because a copy of all members takes longer than
 * applying the trade. A spread omits its members: for a copy, use `Ledger.trade`.
 */
class LedgerTrade
  extends (UnstatedMembers as new () => Omit<typeof unstatedMembers, StatedMember>)
  implements Transaction
{
  readonly id: string;
  readonly type: 'buy' | 'sell';

  constructor(
    private readonly ledger: Ledger,
    private readonly trade: number,
  ) {
    super();
    this.id = ledger.ids[trade] as string;
    this.type = ledger.isSale[trade] ? 'sell' : 'buy';
  }

  get line(): number {
    return this.ledger.lines[this.trade] as number;
  }
  get on(): Day {
    return this.ledger.ons[this.trade] as Day;
  }
  get at(): Instant | null {
    return this.ledger.instant(this.trade);
  }
  get account(): string {
    return this.#place.account;
  }
  get asset(): string {
    return this.#place.asset;
  }
  get assetClass(): AssetClass {
    return this.#place.assetClass;
  }
  get quantity(): Quantity {
    return this.ledger.quantity(this.trade);
  }
  get amount(): Money {
    return BigInt(this.ledger.amounts[this.trade] as number) as Money;
  }
  get fee(): Money {
    return BigInt(this.ledger.fees[this.trade] as number) as Money;
  }
  get externalId(): string {
    return this.ledger.externalIds[this.trade] as string;
  }

  get #place(): AccountAsset {
    return this.ledger.places[this.ledger.placeOf[this.trade] as number] as AccountAsset;
  }
}

import { formatCents } from '../../base/decimal.ts';
import { isDigital } from '../../engine/events/classes.ts';
import type { Disposal, Rules } from '../../engine/model.ts';
import type { DeskPart } from './parts.ts';

/**
 * Explains sales that no form has to report, because the law exempts them or because they are below the thresholds of
 * the optional methods (i1099da, "De minimis rule for qualifying stablecoin sales", "De minimis rule for specified
 * NFTs", "De minimis rule for PDAP sales"). Without a form, their boxes are C, F, I and L.
 */
export class NoFormReasons {
  readonly #totals = new Map<string, bigint>();

  /** `open` contains the sales that are not on any form row. */
  constructor(
    open: readonly DeskPart[],
    private readonly rules: Pick<Rules, 'accounts'>,
  ) {
    for (const { line, proceeds } of open) {
      const group = this.findGroup(line.disposal);
      if (group === undefined) continue;
      const key = keyOf(line.disposal.account, group.name);
      this.#totals.set(key, (this.#totals.get(key) ?? 0n) + proceeds);
    }
  }

  /** Returns undefined if a form is required. */
  of(disposal: Disposal): string | undefined {
    if (disposal.formExempt) return disposal.boxReason;
    if (disposal.shortSale && isDigital(disposal.assetClass)) {
      return 'No broker reports short sales of digital assets until further notice (Notice 2024-57).';
    }
    const group = this.findGroup(disposal);
    if (group === undefined) return undefined;
    const total = this.#totals.get(keyOf(disposal.account, group.name)) ?? 0n;
    if (total > group.max) return undefined;
    return `A broker need not report sales of ${group.name} totaling ${formatCents(group.max)} dollars a year or less. Without a form they are in box I or L.`;
  }

  private findGroup(disposal: Disposal): OptionalGroup | undefined {
    const processes = this.rules.accounts[disposal.account]?.paymentProcessor === true;
    return findOptionalGroup(disposal) ?? (processes && isDigital(disposal.assetClass) ? paymentGroup : undefined);
  }
}

interface OptionalGroup {
  readonly name: string;
  readonly max: Disposal['proceeds'];
}

const stablecoinGroup = { name: 'qualifying stablecoins', max: 1_000_000n } as OptionalGroup;
const nftGroup = { name: 'specified NFTs', max: 60_000n } as OptionalGroup;
const paymentGroup = { name: 'digital assets that it processed as payments', max: 60_000n } as OptionalGroup;

function findOptionalGroup({ asset, assetClass }: Disposal): OptionalGroup | undefined {
  if (assetClass === 'nft') return nftGroup;
  return assetClass === 'crypto' && dollarCoins.has(asset.toUpperCase()) ? stablecoinGroup : undefined;
}

/**
 * Coins that are pegged to one dollar and redeemable for it. A broker can choose whether to report their sales
 * individually.
 */
const dollarCoins: ReadonlySet<string> = new Set(
  'USDC USDT PYUSD USDP GUSD BUSD TUSD FDUSD RLUSD USD1 USDG DAI USDS'.split(' '),
);

function keyOf(account: string, group: string): string {
  return JSON.stringify([account, group]);
}

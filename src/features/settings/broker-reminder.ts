import { dayIn, formatDay, type Instant } from '../../base/day.ts';
import { OnceADay } from '../../base/once-a-day.ts';
import { withTaxpayerLock } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { selectTaxpayer } from '../books/queries.ts';
import { notify } from '../notifications/notify.ts';
import { selectHasKindSince } from '../notifications/queries.ts';
import type { StoredSettings } from '../transactions/elections.ts';

const kind = 'tell_broker';
const firstYear = 2026;
const rememberedMax = 100_000;

/**
 * Reminds in December, once a year, of brokers that have not been told how lots of digital assets are identified: from
 * 1 January 2027 own books are not enough (Notice 2026-20).
 */
export class BrokerReminder {
  readonly #deps: Deps;
  /** Taxpayers for whom it was decided, each day: settings may change by the next. */
  readonly #decided = new OnceADay(rememberedMax);

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async remindBeforeUse(taxpayerId: string): Promise<void> {
    const now = this.#deps.clock.now();
    const today = formatDay(dayIn((now.getTime() * 1000) as Instant, 'UTC'));
    if (!today.includes('-12-') || Number(today.slice(0, 4)) < firstYear) return;
    if (!this.#decided.take(taxpayerId, today)) return;
    const unaware = await this.#deps.database.asTaxpayer(
      taxpayerId,
      async (sql) => accountsToNotify((await selectTaxpayer(sql, taxpayerId)).settings, today),
      { readOnly: true },
    );
    if (unaware.length === 0) return;
    await this.#deps.database.asTaxpayer(taxpayerId, async (sql) => {
      await withTaxpayerLock(sql, taxpayerId);
      if (await selectHasKindSince(sql, taxpayerId, kind, `${today.slice(0, 7)}-01`)) return;
      await notify(sql, taxpayerId, { kind, ...wordsOf(unaware, today), link: '/v1/tax/settings', at: now });
    });
  }
}

/** The accounts whose lots are identified by more than first in, first out, and whose broker was not told. */
export function accountsToNotify(settings: StoredSettings, today: string): string[] {
  const accounts = settings.accounts ?? {};
  const methods = settings.methodByAccount ?? {};
  const orders = settings.standingOrders ?? [];
  const named = [
    ...orders.filter(({ toldBroker }) => !isBy(toldBroker, today)).map(({ account }) => account ?? ''),
    ...Object.keys(methods).filter((name) => methods[name] !== 'FIFO'),
    ...(isOther(settings) ? Object.keys(accounts).filter((name) => methods[name] === undefined) : []),
  ];
  const unaware = named.filter((name) => {
    const account = accounts[name];
    return account?.form !== 'none' && !isBy(account?.toldBroker, today) && (account?.type ?? 'taxable') === 'taxable';
  });
  return [...new Set(unaware)].sort();
}

function isOther({ method = 'FIFO', methodFrom = [] }: StoredSettings): boolean {
  return method !== 'FIFO' || methodFrom.some((from) => from.method !== 'FIFO');
}

/** ISO dates compare as text. */
function isBy(noticeOn: string | undefined, today: string): boolean {
  return noticeOn !== undefined && noticeOn <= today;
}

function wordsOf(accounts: readonly string[], today: string): { readonly title: string; readonly body: string } {
  const next = Math.max(Number(today.slice(0, 4)) + 1, firstYear + 1);
  const names = accounts.map((name) => (name === '' ? 'all accounts' : name)).join(', ');
  return {
    title: 'Tell your brokers which lots you sell',
    body: `From 1 January ${next} lots of digital assets at a broker count as identified only if the broker was told by the sale (Notice 2026-20); otherwise the first ones in are sold first. Standing orders or a method other than FIFO stand for ${names}. Tell each broker, and state the day as toldBroker in the settings.`,
  };
}

import { t } from 'elysia';
import { formatCents, zeroCents } from '../../../base/decimal.ts';
import type { Config } from '../../../config.ts';
import { closed, nullable, oneOf, whole } from '../../../http/schemas.ts';
import { parseCentsColumn } from '../../ledger/transactions/rows.ts';
import type { IssueCountRow } from './status.queries.ts';

const services = [
  'assistant',
  'email',
  'payments',
  'google',
  'github',
  'coin_prices',
  'security_prices',
  'exchanges',
  'currency_rates',
  'storage',
  'traces',
] as const;

export const PolicyList = closed(
  {
    privacy: nullable(
      t.String({ description: 'The operator’s privacy policy in Markdown, or null if there is none.' }),
    ),
    terms: nullable(t.String({ description: 'The operator’s terms in Markdown, or null if there are none.' })),
    services: t.Array(oneOf(services), { description: 'The services on other hosts that this server uses.' }),
    deletionGraceDays: whole(),
    backups: nullable(
      closed(
        { days: whole({ description: 'How long a backup is kept.' }), encrypted: t.Boolean() },
        { description: 'The automatic backups of this server. Null if it makes none itself.' },
      ),
    ),
  },
  { title: 'PolicyList' },
);

/** Returns the operator's texts, and the settings that decide where data goes. Reveals no addresses. */
export function buildPolicies(config: Config) {
  const { ai, mail, billing, google, github, prices, sync, ecbRatesUrl, blobs, traces, backup, policies } = config;
  const isUsed: Readonly<Record<(typeof services)[number], boolean>> = {
    assistant: ai !== null,
    email: mail !== null,
    payments: billing !== null,
    google: google !== null,
    github: github !== null,
    coin_prices: prices.kraken !== null || prices.coinbase !== null || prices.coingecko !== null,
    security_prices: prices.tiingo !== null,
    exchanges: Object.values(sync).some((url) => url !== null),
    currency_rates: ecbRatesUrl !== null,
    storage: blobs.to !== null,
    traces: traces !== null,
  };
  return {
    ...policies,
    services: services.filter((name) => isUsed[name]),
    deletionGraceDays: config.deletionGraceDays,
    backups:
      backup.to === null
        ? null
        : { days: Math.ceil((backup.keep * backup.everyHours) / 24), encrypted: backup.passphrase !== null },
  };
}

export function issueCountView({ kind, count, unknown, dollars }: IssueCountRow) {
  return { kind, count, dollars: formatCents(parseCentsColumn(dollars)), unknown };
}

export function sumOfIssues(kinds: readonly IssueCountRow[]) {
  let [count, unknown, dollars] = [0, 0, zeroCents as bigint];
  for (const one of kinds) {
    count += one.count;
    unknown += one.unknown;
    dollars += parseCentsColumn(one.dollars);
  }
  return { count, dollars: formatCents(dollars as typeof zeroCents), unknown };
}

import type { Account } from '../../api/session.ts';
import { useStatus } from '../../api/status.ts';
import { count } from '../../format/amounts.ts';
import { bytes } from '../../format/bytes.ts';

/** The plan's limits and their current use. */
export function Usage({ user: { plan, usage } }: { readonly user: Account }) {
  const files = useStatus().data?.quotas.importBytes;
  const rows: UsageLineProps[] = [
    { name: 'Transactions stored', used: usage.transactions, limit: usage.transactionLimit },
    ...(files === undefined ? [] : [{ name: 'Imported files', ...files, show: bytes }]),
    { name: 'Assistant questions today', used: usage.aiMessagesToday, limit: usage.aiMessagesPerDay },
    ...(usage.clientLimit === 0 ? [] : [{ name: 'Clients', used: usage.clients, limit: usage.clientLimit }]),
  ];
  return (
    <section class="card">
      <h2>{plan} plan</h2>
      <dl class="terms">
        {rows.map((row) => (
          <UsageLine key={row.name} {...row} />
        ))}
      </dl>
    </section>
  );
}

interface UsageLineProps {
  readonly name: string;
  readonly used: number;
  readonly limit: number | null;
  readonly show?: (amount: number) => string;
}

function UsageLine({ name, used, limit, show = count }: UsageLineProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {limit === null ? (
          `${show(used)} (unlimited)`
        ) : (
          <>
            {show(used)} of {show(limit)} <meter min={0} max={limit} value={used} aria-label={name} />
          </>
        )}
      </dd>
    </>
  );
}

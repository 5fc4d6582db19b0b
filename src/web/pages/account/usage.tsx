import type { Account } from '../../api/session.ts';
import { count } from '../../format/amounts.ts';

/** The plan's limits and their current use. */
export function Usage({ user: { plan, usage } }: { readonly user: Account }) {
  const rows = [
    { name: 'Transactions stored', used: usage.transactions, limit: usage.transactionLimit },
    { name: 'Assistant questions today', used: usage.aiMessagesToday, limit: usage.aiMessagesPerDay },
    ...(usage.clientLimit === 0 ? [] : [{ name: 'Clients', used: usage.clients, limit: usage.clientLimit }]),
  ];
  return (
    <section class="card">
      <h2>{plan} plan</h2>
      <dl class="terms">
        {rows.map(({ name, used, limit }) => (
          <UsageLine key={name} name={name} used={used} limit={limit} />
        ))}
      </dl>
    </section>
  );
}

interface UsageLineProps {
  readonly name: string;
  readonly used: number;
  readonly limit: number | null;
}

function UsageLine({ name, used, limit }: UsageLineProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {limit === null ? (
          `${count(used)} (unlimited)`
        ) : (
          <>
            {count(used)} of {count(limit)} <meter min={0} max={limit} value={used} aria-label={name} />
          </>
        )}
      </dd>
    </>
  );
}

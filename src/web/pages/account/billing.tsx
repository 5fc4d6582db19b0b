import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { type ApiResponse, api, type DataOf, unwrapResponse, useApi } from '../../api/api.ts';
import type { Account } from '../../api/session.ts';
import { useServerConfig, useStatus } from '../../api/status.ts';
import { bytes, count } from '../../format/amounts.ts';
import { day } from '../../format/dates.ts';
import { ActionButton, Icon } from '../../parts/button.tsx';
import { Card, ResourceView } from '../../parts/page.tsx';

type BillingView = DataOf<typeof api.billing.get>;

/** Buys, changes and cancels a plan on Stripe's pages. Renders nothing if the server takes no payments. */
export function Billing() {
  const sells = useServerConfig().data?.billing;
  return sells === true ? <Subscription /> : null;
}

function Subscription() {
  const reading = useApi('billing', () => api.billing.get());
  const { query } = useLocation();
  const card = useRef<HTMLElement>(null);
  const billing = reading.data;
  useEffect(() => {
    // After a return from Stripe, the outcome is shown first.
    if (query.checkout !== undefined && billing !== undefined) card.current?.scrollIntoView({ block: 'center' });
  }, [billing === undefined]);
  return (
    <section ref={card} class="card">
      <h2>Payment</h2>
      {query.checkout === 'done' && (
        <p class="notice" role="status">
          {billing?.standing === 'paid'
            ? `Thank you. Your ${billing.plan} plan is active.`
            : 'Thank you. Your plan starts when Stripe confirms the payment, usually within a minute.'}
        </p>
      )}
      {query.checkout === 'canceled' && (
        <p class="notice" role="status">
          Nothing was bought, and you were not charged.
        </p>
      )}
      <ResourceView reading={reading}>{(state) => <SubscriptionState billing={state} />}</ResourceView>
      <p class="fine">Stripe takes the payment on its own page. We never see your card number.</p>
    </section>
  );
}

function SubscriptionState({ billing }: { readonly billing: BillingView }) {
  const { plan, standing, renewsAt, endsAt } = billing;
  const isOpen = standing === 'paid' || standing === 'payment_due';
  if (!isOpen && plan !== 'FREE') {
    return <p>You have the {plan} plan, assigned by this server's administrator. There is nothing to pay.</p>;
  }
  return (
    <>
      {standing === 'payment_due' && (
        <p class="notice warning">
          Your last payment failed. Your {plan} plan stays active while Stripe retries. Check your card.
        </p>
      )}
      {endsAt !== null && (
        <p>
          The {plan} plan is canceled and ends on {day(endsAt.slice(0, 10))}. Your data stays, and you can still view
          and download it.
        </p>
      )}
      {renewsAt !== null && standing === 'paid' && <p>Next payment: {day(renewsAt.slice(0, 10))}.</p>}
      {standing === 'ended' && <p>Your last subscription has ended.</p>}
      <p class="actions">
        {isOpen ? (
          <LeaveButton text="Change or cancel" open={() => api.billing.portal.post()} />
        ) : (
          <>
            <LeaveButton text="Buy PRO" isMain open={() => api.billing.checkout.post({ plan: 'PRO' })} />
            <LeaveButton text="Buy CPA" open={() => api.billing.checkout.post({ plan: 'CPA' })} />
          </>
        )}
      </p>
    </>
  );
}

interface LeaveButtonProps {
  readonly text: string;
  readonly isMain?: boolean;
  readonly open: () => Promise<ApiResponse<{ readonly url: string }>>;
}

/** A button that opens a Stripe page. */
function LeaveButton({ text, isMain = false, open }: LeaveButtonProps) {
  const leave = async () => location.assign((await unwrapResponse(open())).url);
  const label = (
    <>
      {text} <Icon name="open" />
    </>
  );
  return <ActionButton label={label} class={isMain ? 'primary' : ''} act={leave} />;
}

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
    <Card title={`${plan} plan`}>
      <dl class="terms">
        {rows.map((row) => (
          <UsageLine key={row.name} {...row} />
        ))}
      </dl>
    </Card>
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

import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, got } from '../../api/api.ts';
import { useResource } from '../../api/resource.ts';
import { useServerConfig } from '../../api/server-config.ts';
import { day } from '../../format/dates.ts';
import { Icon } from '../../parts/icon.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { sayProblem } from '../../parts/toasts.tsx';

type BillingView = Awaited<ReturnType<typeof readBilling>>;

function readBilling() {
  return got(api.billing.get());
}

/** Buys, changes and ends a plan, on the pages of Stripe. Nothing is shown where the server takes no payments. */
export function Billing() {
  const sells = useServerConfig().data?.billing;
  return sells === true ? <Subscription /> : null;
}

function Subscription() {
  const reading = useResource('billing', readBilling);
  const { query } = useLocation();
  const card = useRef<HTMLElement>(null);
  const billing = reading.data;
  useEffect(() => {
    // Who comes back from Stripe sees first what became of it.
    if (query.checkout !== undefined && billing !== undefined) card.current?.scrollIntoView({ block: 'center' });
  }, [billing === undefined]);
  return (
    <section ref={card} class="card">
      <h2>Payment</h2>
      {query.checkout === 'done' && (
        <p class="notice" role="status">
          {billing?.standing === 'paid'
            ? `Thank you. Your ${billing.plan} plan has begun.`
            : 'Thank you. The plan begins as soon as Stripe has the payment, mostly within a minute.'}
        </p>
      )}
      {query.checkout === 'cancelled' && (
        <p class="notice" role="status">
          Nothing was bought, and nothing was charged.
        </p>
      )}
      <ResourceView reading={reading}>{(state) => <SubscriptionState billing={state} />}</ResourceView>
      <p class="fine">Stripe takes the payment on its own page: no card number comes here.</p>
    </section>
  );
}

function SubscriptionState({ billing }: { readonly billing: BillingView }) {
  const { plan, standing, renewsAt, endsAt } = billing;
  const isOpen = standing === 'paid' || standing === 'payment_due';
  if (!isOpen && plan !== 'FREE') {
    return (
      <p>You have the {plan} plan, set by whoever runs this server: nothing is to be paid, and nothing to be bought.</p>
    );
  }
  return (
    <>
      {standing === 'payment_due' && (
        <p class="notice warning">
          The last payment did not go through. Your {plan} plan goes on while it is tried again: look at the card.
        </p>
      )}
      {endsAt !== null && (
        <p>
          The {plan} plan is cancelled and ends on {day(endsAt.slice(0, 10))}. Everything stays, and can be read and
          downloaded.
        </p>
      )}
      {renewsAt !== null && standing === 'paid' && <p>The next payment is taken on {day(renewsAt.slice(0, 10))}.</p>}
      {standing === 'ended' && <p>The last subscription has ended.</p>}
      <p class="actions">
        {isOpen ? (
          <LeaveButton text="Change or cancel" open={() => got(api.billing.portal.post())} />
        ) : (
          <>
            <LeaveButton text="Buy PRO" isMain open={() => got(api.billing.checkout.post({ plan: 'PRO' }))} />
            <LeaveButton text="Buy CPA" open={() => got(api.billing.checkout.post({ plan: 'CPA' }))} />
          </>
        )}
      </p>
    </>
  );
}

interface LeaveButtonProps {
  readonly text: string;
  readonly isMain?: boolean;
  readonly open: () => Promise<{ readonly url: string }>;
}

/** Leads to a page of Stripe. */
function LeaveButton({ text, isMain = false, open }: LeaveButtonProps) {
  const [isBusy, setBusy] = useState(false);
  async function leave(): Promise<void> {
    setBusy(true);
    try {
      location.assign((await open()).url);
    } catch (error) {
      sayProblem(error);
      setBusy(false);
    }
  }
  return (
    <button type="button" class={isMain ? 'primary' : ''} disabled={isBusy} onClick={() => void leave()}>
      {text} <Icon name="open" />
    </button>
  );
}

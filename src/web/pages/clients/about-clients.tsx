import { to } from '../../api/acting.ts';
import { api, got } from '../../api/api.ts';
import { useResource } from '../../api/resource.ts';
import { money } from '../../format/amounts.ts';
import { Page } from '../../parts/page.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';

/** To those on another plan: what the CPA plan gives. */
export function AboutClients() {
  const plans = useResource('plans', () => got(api.plans.get()));
  return (
    <Page title="Clients" lead="For those who prepare the taxes of others.">
      <ResourceView reading={plans}>
        {({ data }) => {
          const offer = data.find(({ plan }) => plan === 'CPA');
          return (
            <section class="card">
              <h2>The CPA plan</h2>
              <p>
                Up to {offer?.clientLimit} clients, each with books, settings and reports of their own, in one list with
                what waits in each. A banner with the name of the client stands above every page of their books.
              </p>
              {offer?.price && (
                <p>
                  {money(offer.price.amount)} a {offer.price.interval}.
                </p>
              )}
              <p>
                <a href={to('/account')}>Your plan, and how to change it</a>
              </p>
            </section>
          );
        }}
      </ResourceView>
    </Page>
  );
}

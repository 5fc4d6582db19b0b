import { api, unwrapResponse } from '../../api/api.ts';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { money } from '../../format/amounts.ts';
import { Page } from '../../parts/page.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';

/** Describes the CPA plan to users on another plan. */
export function AboutClients() {
  const plans = useResource('plans', () => unwrapResponse(api.plans.get()));
  return (
    <Page title="Clients" lead="Built for tax preparers.">
      <ResourceView reading={plans}>
        {({ data }) => {
          const offer = data.find(({ plan }) => plan === 'CPA');
          return (
            <section class="card">
              <h2>The CPA plan</h2>
              <p>
                Up to {offer?.clientLimit} clients, each with separate records, settings and reports, in one list that
                shows what needs attention. A banner on every page names the client whose account you're in.
              </p>
              {offer?.price && (
                <p>
                  {money(offer.price.amount)} a {offer.price.interval}.
                </p>
              )}
              <p class="actions">
                <a class="button primary" href={to('/account/plan')}>
                  See your plan and upgrade
                </a>
              </p>
            </section>
          );
        }}
      </ResourceView>
    </Page>
  );
}

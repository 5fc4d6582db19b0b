import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { hasClients, useOpenClient, useReadOnly } from '../../api/books.ts';
import { getFirstRun } from '../../api/first-run.ts';
import { clientId, to } from '../../api/page-url.ts';
import { Icon } from '../../parts/icon.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { Waiting } from '../../parts/resource-view.tsx';

/**
 * Shown instead of the overview before the first import. The first visit leads to the first steps, unless a user opens
 * an address with a year. A client's address always has the year of the client before.
 */
export function Welcome() {
  const { query, route } = useLocation();
  const client = useOpenClient();
  const readOnly = useReadOnly();
  const run = getFirstRun();
  const isOfCpa = clientId.value === null && hasClients();
  const isRole = clientId.value === null || client.data !== undefined || client.problem !== null;
  const isRequested = query.year !== undefined && clientId.value === null;
  const isNew = run === null && !isRequested && isRole && readOnly === null && !isOfCpa;
  useEffect(() => {
    if (isNew) route(to('/welcome'), true);
  }, [isNew]);
  if (isNew || !isRole) return <Waiting />;
  const step = run?.step ?? null;
  return (
    <section class="card">
      <h2>Let's get your first files in</h2>
      <p>Upload files from your brokers and exchanges; your tax year builds itself.</p>
      <p class="actions">
        <OwnBooks isSaid>
          <a class="button primary" href={to('/welcome', { step })}>
            {step === null ? 'Set up step by step' : `Continue setup: step ${step} of 3`}
          </a>
          <a class="button" href={to('/import')}>
            <Icon name="import" /> Import files
          </a>
        </OwnBooks>
      </p>
    </section>
  );
}

import { api, got } from '../../api/api.ts';
import { booksChanged } from '../../api/changes.ts';
import { useResource } from '../../api/resource.ts';
import { moment } from '../../format/dates.ts';
import { say, sayProblem } from '../../parts/toasts.tsx';

type RememberedShape = Awaited<ReturnType<typeof readMappings>>['data'][number];

function readMappings() {
  return got(api.imports.mappings.get({ query: { limit: 200 } }));
}

/** Files whose columns were stated once. */
export function RememberedMappings() {
  const shapes = useResource('mappings', readMappings).data?.data ?? [];
  if (shapes.length === 0) return null;
  return (
    <section class="card">
      <h2>Columns that you stated</h2>
      <p class="fine">
        Files with these columns are read as you said. Forget one to be asked again; what was imported stays.
      </p>
      <ul class="shapes">
        {shapes.map((shape) => (
          <li key={shape.id}>
            <span>
              {shape.header.filter((name) => name !== '').join(', ')}
              <span class="fine"> last used {moment(shape.usedAt)}</span>
            </span>
            <button type="button" onClick={() => forget(shape).catch(sayProblem)}>
              Forget
              <span class="visually-hidden"> {shape.header.slice(0, 3).join(', ')}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

async function forget({ id }: RememberedShape): Promise<void> {
  await got(api.imports.mappings({ id }).delete());
  booksChanged();
  say('The columns are forgotten. The next file of them is asked about.');
}

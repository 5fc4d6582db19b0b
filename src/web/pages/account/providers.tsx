import { api, unwrapResponse } from '../../api/api.ts';
import { write } from '../../api/changes.ts';
import { useResource } from '../../api/resource.ts';
import { useServerConfig } from '../../api/server-config.ts';
import { type ProviderName, providerNames } from '../../parts/sign-in/provider-buttons.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';

/** Linked Google and GitHub accounts. Renders nothing if the server supports neither. */
export function Providers() {
  const linked = useResource('sign-in methods', () => unwrapResponse(api.auth.methods.get())).data?.providers ?? [];
  const offered = useServerConfig().data?.providers ?? [];
  const shown = [...new Set([...offered, ...linked])];
  if (shown.length === 0) return null;
  const link = async (provider: ProviderName) => {
    const { url } = await unwrapResponse(api.auth.identities.post({ provider }));
    location.assign(url);
  };
  const unlink = async (provider: ProviderName) => {
    await write(api.auth.identities({ provider }).delete());
    say(`Your ${providerNames[provider]} account is unlinked.`);
  };
  return (
    <section class="card">
      <h2>Linked accounts</h2>
      <ul class="switches">
        {shown.map((name) => (
          <li key={name} class="actions">
            <span>
              {providerNames[name]}: {linked.includes(name) ? 'linked for sign-in' : 'not linked'}
            </span>
            {linked.includes(name) ? (
              <button type="button" onClick={() => unlink(name).catch(sayProblem)}>
                Unlink {providerNames[name]}
              </button>
            ) : (
              <button type="button" onClick={() => link(name).catch(sayProblem)}>
                Link {providerNames[name]}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

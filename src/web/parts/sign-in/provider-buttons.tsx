import { useServerConfig } from '../../api/server-config.ts';
import { browserTimeZone } from '../../format/dates.ts';

/** The name under which this tab keeps the page that was asked for before the way to the provider. */
export const pageAskedFor = 'pageAskedFor';

export const providerNames = { google: 'Google', github: 'GitHub' } as const;
export type ProviderName = keyof typeof providerNames;

/** Sign-in through the providers that this server is set up for; nothing where there are none. */
export function ProviderButtons() {
  const names = useServerConfig().data?.providers ?? [];
  if (names.length === 0) return null;
  return (
    <section class="card narrow" aria-label="Without a password">
      <ProviderLinks names={names} />
      <p class="fine">We get your name and e-mail address from there, and nothing else.</p>
    </section>
  );
}

export function ProviderLinks({ names }: { readonly names: readonly ProviderName[] }) {
  const zone = browserTimeZone();
  return names.map((name) => (
    // With a target the router leaves it to the browser: it is the way to another site.
    <a
      key={name}
      class="button wide"
      href={`/auth/${name}${zone === '' ? '' : `?timeZone=${encodeURIComponent(zone)}`}`}
      target="_top"
      onClick={rememberPage}
    >
      Continue with {providerNames[name]}
    </a>
  ));
}

function rememberPage(): void {
  const { pathname, search } = location;
  if (['/sign-in', '/register', '/auth/callback'].includes(pathname)) sessionStorage.removeItem(pageAskedFor);
  else sessionStorage.setItem(pageAskedFor, pathname + search);
}

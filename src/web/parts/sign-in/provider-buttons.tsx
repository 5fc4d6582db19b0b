import { useServerConfig } from '../../api/server-config.ts';
import { browserTimeZone } from '../../format/dates.ts';

/** The session storage key of the page to return to after signing in with a provider. */
export const pageAskedFor = 'pageAskedFor';

export const providerNames = { google: 'Google', github: 'GitHub' } as const;
export type ProviderName = keyof typeof providerNames;

/** Sign-in through the providers set up on this server. Renders nothing if there are none. */
export function ProviderButtons() {
  const names = useServerConfig().data?.providers ?? [];
  if (names.length === 0) return null;
  return (
    <section class="card narrow" aria-label="Sign in without a password">
      <ProviderLinks names={names} />
      <p class="fine">The provider only shares your name and email address with us.</p>
    </section>
  );
}

export function ProviderLinks({ names }: { readonly names: readonly ProviderName[] }) {
  const zone = browserTimeZone();
  return names.map((name) => (
    // The link redirects to another site. The router ignores links with a target attribute, so the browser follows it.
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

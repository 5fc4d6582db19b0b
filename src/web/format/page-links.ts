/** A page's path in the client, with its query. */
export interface PageLocation {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/**
 * Returns the page for an API URL in a notification or citation. Keeps the client whose books it names. Returns null if
 * no page shows it.
 */
export function findPage(link: string): PageLocation | null {
  const { pathname, searchParams } = new URL(link, 'http://lotbook');
  const { client, ...given } = Object.fromEntries(searchParams);
  for (const [pattern, buildLocation] of locationRules) {
    const found = pattern.exec(pathname);
    if (found === null) continue;
    const { path, query } = buildLocation(given, found[1] ?? '');
    return { path, query: client === undefined ? query : { ...query, client } };
  }
  return null;
}

type LocationBuilder = (given: Readonly<Record<string, string>>, id: string) => PageLocation;

const at =
  (path: string): LocationBuilder =>
  (query) => ({ path, query });

/** The page of an item that is looked up by id has the id in its query. */
const withId =
  (path: string, name: string): LocationBuilder =>
  (query, id) => ({ path, query: { ...query, [name]: id } });

const locationRules: readonly (readonly [pattern: RegExp, place: LocationBuilder])[] = [
  [/^\/v1\/imports\/([^/]+)/, (query, id) => ({ path: `/import/${id}`, query })],
  [/^\/v1\/(?:imports|formats)$/, at('/import')],
  [/^\/v1\/tax\/summary$/, ({ year, ...query }) => ({ path: year === undefined ? '/year' : `/year/${year}`, query })],
  [/^\/v1\/tax\/years\/(\d{4})\/review$/, (query, year) => ({ path: `/year/${year}`, query })],
  [/^\/v1\/tax\/notes$/, ({ year, ...query }) => ({ path: year === undefined ? '/year' : `/year/${year}`, query })],
  [/^\/v1\/invitations\/([^/]+)$/, (query, id) => ({ path: `/invitations/${id}`, query })],
  [/^\/v1\/invitations$/, at('/account')],
  [/^\/v1\/account\/grants$/, at('/account')],
  [/^\/v1\/tax\/(?:years|calculations\/[^/]+)$/, () => ({ path: '/year', query: {} })],
  [/^\/v1\/tax\/disposals\/([^/]+)/, withId('/lines', 'line')],
  [/^\/v1\/tax\/disposals$/, at('/lines')],
  [/^\/v1\/tax\/lots$/, at('/lots')],
  [/^\/v1\/tax\/issues/, at('/needs-you')],
  [/^\/v1\/tax\/harvest$/, at('/plan')],
  [/^\/v1\/tax\/opportunity-funds$/, at('/funds')],
  [/^\/v1\/tax\/forms$/, at('/reconcile')],
  [/^\/v1\/tax\/reports\/([^/]+)/, withId('/reports', 'report')],
  [/^\/v1\/tax\/reports$/, at('/reports')],
  [/^\/v1\/tax\/settings$/, at('/settings')],
  [/^\/v1\/transactions\/([^/]+)/, withId('/transactions', 'open')],
  [/^\/v1\/transactions$/, at('/transactions')],
  [/^\/v1\/(?:plans|account|billing|auth\/sessions)$/, at('/account')],
  [/^\/v1\/account\/audit$/, at('/account/audit')],
  [/^\/v1\/notifications$/, at('/notifications')],
  [/^\/v1\/help\/([^/]+)$/, (query, id) => ({ path: `/help/${id}`, query })],
];

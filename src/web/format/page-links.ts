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
  const { client, ...parameters } = Object.fromEntries(searchParams);
  for (const [pattern, buildLocation] of locationRules) {
    const match = pattern.exec(pathname);
    if (match === null) continue;
    const { path, query } = buildLocation(parameters, match[1] ?? '');
    return { path, query: client === undefined ? query : { ...query, client } };
  }
  return null;
}

type LocationBuilder = (parameters: Readonly<Record<string, string>>, id: string) => PageLocation;

const linkTo =
  (path: string): LocationBuilder =>
  (query) => ({ path, query });

/** The page of an item that is looked up by id has the id in its query. */
const withId =
  (path: string, name: string): LocationBuilder =>
  (query, id) => ({ path, query: { ...query, [name]: id } });

const locationRules: readonly (readonly [pattern: RegExp, place: LocationBuilder])[] = [
  [/^\/v1\/imports\/([^/]+)/, (query, id) => ({ path: `/import/${id}`, query })],
  [/^\/v1\/(?:imports|formats)$/, linkTo('/import')],
  [/^\/v1\/tax\/summary$/, ({ year, ...query }) => ({ path: year === undefined ? '/year' : `/year/${year}`, query })],
  [/^\/v1\/tax\/years\/(\d{4})\/review$/, (query, year) => ({ path: `/year/${year}`, query })],
  [/^\/v1\/tax\/notes$/, ({ year, ...query }) => ({ path: year === undefined ? '/year' : `/year/${year}`, query })],
  [/^\/v1\/invitations\/([^/]+)$/, (query, id) => ({ path: `/invitations/${id}`, query })],
  [/^\/v1\/invitations$/, linkTo('/account')],
  [/^\/v1\/account\/grants$/, linkTo('/account')],
  [/^\/v1\/tax\/(?:years|calculations\/[^/]+)$/, () => ({ path: '/year', query: {} })],
  [/^\/v1\/tax\/disposals\/([^/]+)/, withId('/lines', 'line')],
  [/^\/v1\/tax\/disposals$/, linkTo('/lines')],
  [/^\/v1\/tax\/lots$/, linkTo('/lots')],
  [/^\/v1\/tax\/issues/, linkTo('/needs-you')],
  [/^\/v1\/tax\/harvest$/, linkTo('/plan')],
  [/^\/v1\/tax\/opportunity-funds$/, linkTo('/funds')],
  [/^\/v1\/tax\/forms$/, linkTo('/reconcile')],
  [/^\/v1\/tax\/reports\/([^/]+)/, withId('/reports', 'report')],
  [/^\/v1\/tax\/reports$/, linkTo('/reports')],
  [/^\/v1\/tax\/settings$/, linkTo('/settings')],
  [/^\/v1\/transactions\/([^/]+)/, withId('/transactions', 'open')],
  [/^\/v1\/transactions$/, linkTo('/transactions')],
  [/^\/v1\/(?:plans|account|billing|auth\/sessions)$/, linkTo('/account')],
  [/^\/v1\/account\/audit$/, linkTo('/account/audit')],
  [/^\/v1\/notifications$/, linkTo('/notifications')],
];

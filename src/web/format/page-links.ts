/** A page's path in the client, with its query. */
interface PageLocation {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** Returns the page for an API URL, with the client whose books it names, or null if no page shows it. */
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

/** A list shows the tax year of the frame. A link without a year means all years. */
const inYear =
  (path: string): LocationBuilder =>
  (query) => ({ path, query: query.year === undefined ? { ...query, years: 'all' } : query });

const planningView =
  (view: string): LocationBuilder =>
  (query) => ({ path: '/planning', query: { ...query, view } });

const locationRules: readonly (readonly [pattern: RegExp, place: LocationBuilder])[] = [
  [/^\/v1\/imports\/([^/]+)/, (query, id) => ({ path: `/import/${id}`, query })],
  [/^\/v1\/(?:imports|formats)$/, linkTo('/import')],
  [/^\/v1\/tax\/(?:summary|notes)$/, linkTo('/overview')],
  [/^\/v1\/tax\/years\/(\d{4})\/review$/, withId('/overview', 'year')],
  [/^\/v1\/invitations\/([^/]+)$/, (query, id) => ({ path: `/invitations/${id}`, query })],
  [/^\/v1\/(?:invitations|account\/grants)$/, linkTo('/account/access')],
  [/^\/v1\/tax\/(?:years|calculations\/[^/]+)$/, () => ({ path: '/overview', query: {} })],
  [/^\/v1\/tax\/disposals\/([^/]+)/, withId('/forms/8949', 'line')],
  [/^\/v1\/tax\/disposals$/, inYear('/forms/8949')],
  [/^\/v1\/tax\/lots$/, linkTo('/holdings')],
  [/^\/v1\/tax\/issues/, inYear('/review')],
  [/^\/v1\/tax\/harvest$/, planningView('losses')],
  [/^\/v1\/tax\/year-end$/, planningView('year-end')],
  [/^\/v1\/tax\/opportunity-funds$/, linkTo('/funds')],
  [/^\/v1\/tax\/forms$/, linkTo('/forms/1099')],
  [/^\/v1\/tax\/reports\/([^/]+)/, withId('/forms', 'report')],
  [/^\/v1\/tax\/reports$/, linkTo('/forms')],
  [/^\/v1\/tax\/settings$/, linkTo('/settings')],
  [/^\/v1\/transactions\/([^/]+)/, withId('/transactions', 'open')],
  [/^\/v1\/transactions$/, inYear('/transactions')],
  [/^\/v1\/(?:plans|billing)$/, linkTo('/account/plan')],
  [/^\/v1\/auth\/sessions$/, linkTo('/account/security')],
  [/^\/v1\/account$/, linkTo('/account')],
  [/^\/v1\/account\/audit$/, linkTo('/account/audit')],
  [/^\/v1\/notifications$/, linkTo('/notifications')],
  [/^\/v1\/help\/([^/]+)$/, (query, id) => ({ path: `/help/${id}`, query })],
];

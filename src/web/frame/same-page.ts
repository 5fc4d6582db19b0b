import { search, to } from '../api/page-url.ts';

/** Parameters that name single rows, files or reports, which belong to one year. */
const ofOneYear: ReadonlySet<string> = new Set([
  ...['open', 'edit', 'back', 'ids', 'importId', 'line', 'lock', 'report', 'from', 'to', 'years'],
]);

/** Returns the address of the page in another tax year, with its filters. */
export function buildYearAddress(path: string, year: number): string {
  const query: Record<string, readonly string[]> = {};
  const now = new URLSearchParams(search.value);
  for (const name of now.keys()) if (!ofOneYear.has(name)) query[name] = now.getAll(name);
  return to(path, { ...query, year });
}

/**
 * Returns the address of the page for another person, or their overview if the page is about the user. The last part of
 * a path may be an id that the other person does not have, unless it is a part of the settings or a form.
 */
export function buildPersonAddress(path: string, client: string | null): string {
  const [first = '', second] = path.split('/').filter((part) => part !== '');
  const isOfUser = first === 'clients' || first === 'account';
  const isPart = second !== undefined && (first === 'settings' || first === 'forms');
  const page = isOfUser ? '/overview' : `/${first}${isPart ? `/${second}` : ''}`;
  return to(page, { client });
}

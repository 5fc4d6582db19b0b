/** Addresses of earlier versions, which bookmarks and delivered emails contain, with the pages that replace them. */
const movedPaths: Readonly<Record<string, string>> = {
  '/year': '/overview',
  '/needs-you': '/review',
  '/lines': '/forms/8949',
  '/lots': '/holdings',
  '/plan': '/planning',
  '/reports': '/forms',
  '/reconcile': '/forms/1099',
};

/** Returns the present address of a page that has moved, with its query, or null if the address is current. */
export function findMovedAddress(url: string): string | null {
  const { pathname, searchParams } = new URL(url, 'http://lotbook');
  const path = pathname.replace(/\/+$/, '');
  const year = /^\/year\/(\d{4})$/.exec(path)?.[1];
  const moved = movedPaths[year === undefined ? path : '/year'];
  if (moved === undefined) return null;
  if (year !== undefined) searchParams.set('year', year);
  return searchParams.size === 0 ? moved : `${moved}?${searchParams}`;
}

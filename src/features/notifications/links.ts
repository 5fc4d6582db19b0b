/** The address for a user who acts on a client's books. */
export function linkInto(client: string, link: string): string {
  return `${link}${link.includes('?') ? '&' : '?'}${new URLSearchParams({ client })}`;
}

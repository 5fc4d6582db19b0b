/** Adds the client to a link for a user who acts on that client's books. */
export function linkInto(client: string, link: string): string {
  return `${link}${link.includes('?') ? '&' : '?'}${new URLSearchParams({ client })}`;
}

/** Returns an HTML page with its content security policy. */
export function htmlPage(html: string, contentSecurityPolicy: string, status = 200): Response {
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'no-cache',
    },
  });
}

/** Escapes text for a page. */
export function escapeHtml(text: string): string {
  const named: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => named[character] ?? character);
}

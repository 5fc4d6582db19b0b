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

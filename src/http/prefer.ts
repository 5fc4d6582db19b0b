/** Returns whether the client prefers an immediate response and will fetch the result later (RFC 7240). */
export function prefersAsync(request: Request): boolean {
  return /(?:^|[,;\s])respond-async(?:$|[,;\s])/i.test(request.headers.get('prefer') ?? '');
}

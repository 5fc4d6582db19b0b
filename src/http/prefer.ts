/** RFC 7240: the client would rather be answered at once and ask for the result later. */
export function prefersAsync(request: Request): boolean {
  return /(?:^|[,;\s])respond-async(?:$|[,;\s])/i.test(request.headers.get('prefer') ?? '');
}

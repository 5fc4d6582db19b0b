import { Refusal } from '../base/refusal.ts';

/** Paths that operators poll from inside the network. */
export const operatorPaths: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics']);

/**
 * Returns the request with a valid URL. A request has none if its Host is empty or invalid (RFC 9112, section 3.2), or
 * if it uses HTTP/1.0 without a Host. Health checks from load balancers do the latter and must get a response.
 */
export function withHost(request: Request): Request {
  const host = request.headers.get('host');
  if (host !== null && !isHost(host)) throw noHost();
  if (URL.canParse(request.url)) return request;
  // Without a Host, the server passes only the target, which is a path.
  const path = request.url.split('?')[0] ?? '';
  if (host !== null || !isReading(request) || !operatorPaths.has(path)) throw noHost();
  return new Request(`http://localhost${request.url}`, { headers: request.headers });
}

/** Handles HEAD as GET because the framework's own HEAD would read a whole stream to measure it. */
export function readAsGet(request: Request): Request {
  return request.method === 'HEAD' ? new Request(request.url, { headers: request.headers }) : request;
}

function isReading({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Returns whether the header is one host. Two Host lines arrive as one with a comma, which no host contains. */
function isHost(host: string): boolean {
  return !/[\s,/?#@\\]/.test(host) && URL.canParse(`http://${host}`);
}

function noHost(): Refusal {
  return new Refusal('bad_request', 'The Host header is missing, or is not a host.');
}

import { Refusal } from '../base/refusal.ts';

/** Operators poll these paths from inside the network. */
export const operatorPaths: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics']);

/**
 * Returns the request with a valid URL. A request has none if its Host is empty or invalid (RFC 9112, section 3.2), or
 * if it uses HTTP/1.0 without a Host, like the health checks of load balancers, which must be answered.
 */
export function withHost(request: Request): Request {
  const host = request.headers.get('host');
  if (host !== null && !isHost(host)) throw noHost();
  if (URL.canParse(request.url)) return request;
  // Without a Host the server passes only the target, a path.
  const path = request.url.split('?')[0] ?? '';
  if (host !== null || !isReading(request) || !operatorPaths.has(path)) throw noHost();
  return new Request(`http://localhost${request.url}`, { headers: request.headers });
}

/** HEAD is handled as GET, because the framework's own HEAD would read a whole stream to measure it. */
export function readAsGet(request: Request): Request {
  return request.method === 'HEAD' ? new Request(request.url, { headers: request.headers }) : request;
}

function isReading({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Two Host lines arrive as one with a comma, which no host contains. */
function isHost(host: string): boolean {
  return !/[\s,/?#@\\]/.test(host) && URL.canParse(`http://${host}`);
}

function noHost(): Refusal {
  return new Refusal('bad_request', 'The Host header is missing, or is not a host.');
}

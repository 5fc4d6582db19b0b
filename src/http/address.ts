/**
 * Returns the client's address behind proxies. From the socket outward, each trusted proxy vouches for the address
 * before it in X-Forwarded-For. The first address that is not a trusted proxy is the client. Without trusted proxies,
 * the header is ignored.
 */
export function clientAddress(socket: string | null, forwardedFor: string | null, trusted: readonly string[]): string {
  let address = socket ?? 'memory';
  if (trusted.length === 0 || forwardedFor === null) return address;
  const named = forwardedFor.split(',').map((part) => part.trim().replace(/^\[|\]$/g, ''));
  while (named.length > 0 && trusted.some((network) => contains(network, address))) {
    const next = named.pop() ?? '';
    if (parseAddressBytes(next) === undefined) return address;
    address = next;
  }
  return address;
}

/** Bytes in a /64, /56 and /48: a single network, a home's networks, and those of a company or a tunnel. */
const v6PrefixBytes = [8, 7, 6];

/**
 * Returns the customer's network for an address. An IPv6 customer has at least a whole /64 and can use any address in
 * it.
 */
export function networkOf(address: string): string {
  return listNetworks(address)[0] ?? address;
}

/**
 * Returns the networks around an address that may belong to one customer, smallest first. An IPv6 customer often has a
 * /56 or a /48, and can use any network in it. An IPv4 address is a network by itself.
 */
export function listNetworks(address: string): string[] {
  const bytes = parseAddressBytes(address);
  if (bytes?.length !== 16) return [address];
  return v6PrefixBytes.map((count) => `${new Uint8Array(bytes.slice(0, count)).toHex()}/${count * 8}`);
}

/** Returns whether a request comes from this machine itself, and not through a proxy on it. */
export function isLocal(socket: string | null, headers: Headers): boolean {
  const isForwarded = headers.has('x-forwarded-for') || headers.has('forwarded');
  return !isForwarded && (socket === null || contains('127.0.0.0/8', socket) || contains('::1', socket));
}

function contains(network: string, address: string): boolean {
  const [base = '', length] = network.split('/');
  const [wanted, found] = [parseAddressBytes(base), parseAddressBytes(address)];
  if (wanted === undefined || found === undefined || wanted.length !== found.length) return false;
  const bits = length === undefined ? wanted.length * 8 : Number(length);
  return wanted.every((byte, at) => {
    const open = Math.max(0, Math.min(8, (at + 1) * 8 - bits));
    return byte >> open === (found[at] ?? 0) >> open;
  });
}

/** Returns four or sixteen bytes. An IPv4-mapped IPv6 address counts as IPv4. */
function parseAddressBytes(text: string): number[] | undefined {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) {
    const bytes = text.split('.').map(Number);
    return bytes.every((byte) => byte <= 255) ? bytes : undefined;
  }
  if (!text.includes(':') || !URL.canParse(`http://[${text}]/`)) return undefined;
  const host = new URL(`http://[${text}]/`).hostname.slice(1, -1);
  const [head = '', tail] = host.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  const bytes = groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]);
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  return isMapped ? bytes.slice(12) : bytes;
}

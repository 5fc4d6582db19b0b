import { createHash, createHmac } from 'node:crypto';

/**
 * Returns true if a request is signed with the key (AWS Signature Version 4), either in its `Authorization` header, or
 * in the query of a signed URL that has not expired.
 */
export function isSigned(request: Request, keys: { readonly accessKeyId: string; readonly secretAccessKey: string }) {
  const url = new URL(request.url);
  const given = inQuery(url) ?? inHeader(request);
  if (given === null) return false;
  const [accessKeyId = '', ...scope] = given.credential.split('/');
  const [day = '', region = '', service = '', end = ''] = scope;
  if (accessKeyId !== keys.accessKeyId || service !== 's3' || end !== 'aws4_request') return false;
  if (!given.at.startsWith(day) || isExpired(given)) return false;
  const canonical = [
    request.method,
    url.pathname,
    queryOf(url),
    ...given.headers.map((name) => `${name}:${name === 'host' ? url.host : (request.headers.get(name) ?? '').trim()}`),
    '',
    given.headers.join(';'),
    given.payload,
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', given.at, scope.join('/'), sha256(canonical)].join('\n');
  const key = [day, region, service, end].reduce<string | Buffer>(hmac, `AWS4${keys.secretAccessKey}`);
  return hmac(key, text).toString('hex') === given.signature;
}

interface Signature {
  readonly credential: string;
  readonly at: string;
  readonly headers: readonly string[];
  readonly payload: string;
  readonly signature: string;
  readonly expiresSeconds: number | null;
}

function inQuery({ searchParams }: URL): Signature | null {
  const of = (name: string): string => searchParams.get(`X-Amz-${name}`) ?? '';
  if (of('Algorithm') !== 'AWS4-HMAC-SHA256') return null;
  return {
    credential: of('Credential'),
    at: of('Date'),
    headers: of('SignedHeaders').split(';'),
    payload: 'UNSIGNED-PAYLOAD',
    signature: of('Signature'),
    expiresSeconds: Number(of('Expires')),
  };
}

function inHeader({ headers }: Request): Signature | null {
  const [, credential, signed, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)$/.exec(
      headers.get('authorization') ?? '',
    ) ?? [];
  if (credential === undefined || signed === undefined || signature === undefined) return null;
  const at = headers.get('x-amz-date') ?? '';
  const payload = headers.get('x-amz-content-sha256') ?? '';
  return { credential, at, headers: signed.split(';'), payload, signature, expiresSeconds: null };
}

function isExpired({ at, expiresSeconds }: Signature): boolean {
  if (expiresSeconds === null) return false;
  const signedAt = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5'));
  return !(signedAt + expiresSeconds * 1000 > Date.now());
}

function queryOf(url: URL): string {
  return [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join('&');
}

/** Escapes as in RFC 3986, including characters that `encodeURIComponent` leaves unescaped. */
function escaped(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

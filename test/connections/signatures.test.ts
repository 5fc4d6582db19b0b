import { expect, test } from 'bun:test';
import { createPrivateKey, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import {
  createToken,
  parsePrivateKey,
  signToken,
} from '../../src/features/ledger/connections/exchanges/coinbase-jwt.ts';
import { signKraken } from '../../src/features/ledger/connections/exchanges/kraken.ts';

test("Kraken's signature is that of the example in its documentation", () => {
  const signature = signKraken({
    path: '/0/private/AddOrder',
    nonce: '1616492376594',
    body: 'nonce=1616492376594&ordertype=limit&pair=XBTUSD&price=37500&type=buy&volume=1.25',
    secret: 'kQH5HW/8p1uGOVjbgWA7FunAmGO8lsSUXNsu3eow76sz84Q18fWxnyRzBHCd3pd5nE9qa99HAZtuZuj6F1huXg==',
  });
  expect(signature).toBe('4/dpxb3iT4tp/ZCVEwSnEsLxx0bqyhLpdfOpc6fn7OR8+UClSV5n9E6aSS8MPtnRfp32bAb0nmbRn6H8ndwLUQ==');
});

test('a token is signed by EdDSA as in the example of RFC 8037', () => {
  const seed = Buffer.from('nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A', 'base64url');
  const key = parsePrivateKey(seed.toString('base64'));
  const text = 'eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc';
  expect(signToken(text, key)).toBe(
    `${text}.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg`,
  );
});

test('a token names the key and the request, and its ES256 signature can be verified', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'sec1', format: 'pem' }) as string;
  const keys = { key: 'organizations/1/apiKeys/2', secret: pem.replaceAll('\n', '\\n') };
  const token = createToken({ keys, uri: 'GET api.coinbase.com/v2/accounts', now: 1_700_000_000, nonce: 'abc' });
  const [head = '', body = '', signature = ''] = token.split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as object;
  expect(read(head)).toEqual({ alg: 'ES256', typ: 'JWT', kid: keys.key, nonce: 'abc' });
  expect(read(body)).toEqual({
    ...{ iss: 'cdp', sub: keys.key, nbf: 1_700_000_000, exp: 1_700_000_120 },
    uri: 'GET api.coinbase.com/v2/accounts',
  });
  const bytes = Buffer.from(signature, 'base64url');
  expect(bytes).toHaveLength(64);
  const open = createPublicKey(createPrivateKey(pem));
  expect(verify('sha256', Buffer.from(`${head}.${body}`), { key: open, dsaEncoding: 'ieee-p1363' }, bytes)).toBe(true);
});

test('a private key may lose its line breaks, as in a field of one line', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'sec1', format: 'pem' }) as string;
  for (const secret of [pem, pem.replaceAll('\n', ''), pem.replaceAll('\n', ' '), pem.replaceAll('\n', '\\n')]) {
    expect(parsePrivateKey(secret).export({ type: 'sec1', format: 'pem' })).toBe(pem);
  }
});

test.each(['', 'abc', '-----BEGIN EC PRIVATE KEY-----\nMHc\n-----END EC PRIVATE KEY-----', 'x'.repeat(64)])(
  'a private key that cannot be read is refused without quoting it (%p)',
  (secret) => {
    expect(() => parsePrivateKey(secret)).toThrow('This is not a private key of Coinbase.');
  },
);

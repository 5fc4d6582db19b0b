import { expect, test } from 'bun:test';
import { refuseCrossOrigin, refuseOtherNames } from '../../src/http/origin.ts';
import { lookalikes, namedOrigins } from '../support/origins.ts';

const trusted = ['https://lotbook.example', ...namedOrigins];

/** The table from Go 1.25's own test (net/http/csrf_test.go), adapted to our host. */
const cases: readonly [name: string, method: string, headers: Record<string, string>, allowed: boolean][] = [
  ['same-origin is allowed', 'POST', { 'sec-fetch-site': 'same-origin' }, true],
  ['none (typed by the user) is allowed', 'POST', { 'sec-fetch-site': 'none' }, true],
  ['cross-site is refused', 'POST', { 'sec-fetch-site': 'cross-site' }, false],
  ['same-site is refused', 'POST', { 'sec-fetch-site': 'same-site' }, false],
  ['no header with no Origin is allowed', 'POST', {}, true],
  ['no header with the same Origin is allowed', 'POST', { origin: 'https://example.com' }, true],
  ['no header with another Origin is refused', 'POST', { origin: 'https://attacker.example' }, false],
  ['no header with Origin null is refused', 'POST', { origin: 'null' }, false],
  ['no header with another port is refused', 'POST', { origin: 'https://example.com:8443' }, false],
  ['GET is allowed from anywhere', 'GET', { 'sec-fetch-site': 'cross-site' }, true],
  ['HEAD is allowed from anywhere', 'HEAD', { 'sec-fetch-site': 'cross-site' }, true],
  ['OPTIONS is allowed from anywhere', 'OPTIONS', { 'sec-fetch-site': 'cross-site' }, true],
  ['PUT is refused from elsewhere', 'PUT', { 'sec-fetch-site': 'cross-site' }, false],
  ['DELETE is refused from elsewhere', 'DELETE', { 'sec-fetch-site': 'cross-site' }, false],
  [
    'Sec-Fetch-Site wins over an Origin that fits',
    'POST',
    { 'sec-fetch-site': 'cross-site', origin: 'https://example.com' },
    false,
  ],
  [
    'our public address is trusted behind a proxy',
    'POST',
    { 'sec-fetch-site': 'cross-site', origin: 'https://lotbook.example' },
    true,
  ],
  [
    'an allowed origin of another site is trusted',
    'POST',
    { 'sec-fetch-site': 'cross-site', origin: 'https://app.example.com' },
    true,
  ],
  [
    'an allowed origin of the same site is trusted',
    'POST',
    { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:5173' },
    true,
  ],
];

for (const [name, method, headers, allowed] of cases) {
  test(name, () => {
    const request = new Request('https://example.com/', { method, headers: { host: 'example.com', ...headers } });
    const refuse = () => refuseCrossOrigin(request, trusted, false);
    if (allowed) expect(refuse).not.toThrow();
    else expect(refuse).toThrow(/csrf/);
  });
}

test.each(lookalikes)('a write from %s is refused, with and without Sec-Fetch-Site', (origin) => {
  for (const site of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, {}]) {
    const request = new Request('https://example.com/', { method: 'POST', headers: { ...site, origin } });
    expect(() => refuseCrossOrigin(request, trusted, false)).toThrow(/csrf/);
  }
});

test('a download works from our own pages, from a typed address, and from programs', () => {
  const asks = (headers: Record<string, string>) => () =>
    refuseCrossOrigin(new Request('https://example.com/', { headers }), trusted, true);
  for (const site of ['same-origin', 'none']) expect(asks({ 'sec-fetch-site': site })).not.toThrow();
  expect(asks({})).not.toThrow();
  for (const site of ['cross-site', 'same-site']) expect(asks({ 'sec-fetch-site': site })).toThrow(/csrf/);
});

test('a download also works for the pages of an allowed origin, but not for lookalikes', () => {
  const asks = (origin: string) => () => {
    const headers = { 'sec-fetch-site': 'cross-site', origin };
    refuseCrossOrigin(new Request('https://example.com/', { headers }), trusted, true);
  };
  expect(asks('https://app.example.com')).not.toThrow();
  for (const origin of lookalikes) expect(asks(origin)).toThrow(/csrf/);
});

test('a request by a program also works for the pages of an allowed origin, but not for lookalikes', () => {
  const asks = (origin: string) => () => {
    const headers = { host: 'example.com', origin };
    refuseOtherNames(new Request('https://example.com/', { method: 'POST', headers }), trusted);
  };
  for (const origin of trusted) expect(asks(origin)).not.toThrow();
  for (const origin of ['https://example.com', ...lookalikes]) expect(asks(origin)).toThrow(/csrf/);
});

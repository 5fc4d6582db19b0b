import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createSite } from '../../src/web/index.ts';
import { type TestApp, testApp } from '../support/app.ts';

let app: TestApp;
let plain: TestApp;
beforeAll(async () => {
  const contacts = 'mailto:security@lotbook.example,https://lotbook.example/report';
  app = await testApp({ env: { BASE_URL: 'https://lotbook.example', SECURITY_CONTACT: contacts } });
  plain = await testApp();
});
afterAll(async () => {
  await app.close();
  await plain.close();
});

function fetchPath(of: TestApp, path: string, accept = '*/*'): Response | Promise<Response> {
  return createSite(of.deps).fetch(new Request(`http://localhost${path}`, { headers: { accept } }));
}

describe('/.well-known', () => {
  test('security.txt has the contacts, an end within a year and its own address (RFC 9116)', async () => {
    const response = await fetchPath(app, '/.well-known/security.txt');
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const lines = (await response.text()).trimEnd().split('\n');
    const [, expires = ''] = /^Expires: (\S+)$/.exec(lines[2] ?? '') ?? [];
    expect(lines).toEqual([
      'Contact: mailto:security@lotbook.example',
      'Contact: https://lotbook.example/report',
      `Expires: ${expires}`,
      'Canonical: https://lotbook.example/.well-known/security.txt',
      'Preferred-Languages: en',
    ]);
    const days = (Date.parse(expires) - app.deps.clock.now().getTime()) / 86_400_000;
    expect(days).toBeGreaterThan(80);
    expect(days).toBeLessThan(365);
  });

  test('security.txt does not exist without a contact, even for a browser', async () => {
    expect((await fetchPath(plain, '/.well-known/security.txt', 'text/html')).status).toBe(404);
  });

  test('change-password leads to the page with the password, and an unknown name is 404', async () => {
    const response = await fetchPath(plain, '/.well-known/change-password');
    expect([response.status, response.headers.get('location')]).toEqual([302, '/account/security']);
    const unknown = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200';
    expect((await fetchPath(plain, unknown, 'text/html')).status).toBe(404);
  });
});

test('the page names the manifest of the app, whose icons and start page exist', async () => {
  const page = await (await fetchPath(plain, '/', 'text/html')).text();
  const path = /<link rel="manifest" href="([^"]+)">/.exec(page)?.[1] ?? '';
  const response = await fetchPath(plain, path);
  expect(response.headers.get('content-type')).toBe('application/manifest+json');
  const manifest = (await response.json()) as { start_url: string; icons: { src: string; type: string }[] };
  expect((await fetchPath(plain, manifest.start_url, 'text/html')).status).toBe(200);
  expect(manifest.icons).toHaveLength(2);
  for (const { src, type } of manifest.icons) {
    const icon = await fetchPath(plain, src);
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
  }
});

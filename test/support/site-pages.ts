import type { Page } from 'playwright-core';
import { demoFiles } from '../../src/features/answers/demo/account.ts';
import {
  accountTabs,
  formTabs,
  notifications,
  ofAllYears,
  ofYear,
  settingsTabs,
  tools,
} from '../../src/web/destinations.ts';
import { pages } from '../../src/web/pages.ts';
import { sessionCookie, type TestApp, type TestClient } from './app.ts';
import { grantAccess, invite } from './grants.ts';

/** A page of the web client to open: its name, its path, and the user who opens it. */
export interface SitePage {
  readonly name: string;
  readonly path: string;
  readonly as?: Pick<TestClient, 'cookie'>;
}

/** The users: a new user, a user with full books, that user's CPA, and the demo user. */
export interface People {
  readonly newcomer: TestClient;
  readonly owner: TestClient;
  readonly cpa: TestClient;
  readonly demo: Pick<TestClient, 'cookie'>;
}

/** Waits until the page is complete and shows no loading indicator. */
export async function untilRead(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  const selector = '.waiting, [aria-busy=true]';
  await page.waitForFunction((loading) => document.querySelector(loading) === null, selector);
}

export const yearOfSitePages = '/overview?year=2025';

/** Returns every page at least once with enough data that no list is empty, and then the pages that a new user sees. */
export async function fetchSitePages(
  app: TestApp,
): Promise<{ readonly people: People; readonly places: readonly SitePage[] }> {
  const people = await fetchPeople(app);
  const { newcomer, owner, cpa } = people;
  const { data: clients } = await cpa.json<{ data: { id: string; name: string }[] }>('GET', '/v1/clients');
  const clientCalled = (name: string): string => clients.find((client) => client.name === name)?.id ?? '';
  const { data: imports } = await owner.json<{ data: { id: string }[] }>('GET', '/v1/imports');
  const { invitation, token } = await invite(app, cpa, { kind: 'request', email: newcomer.email, role: 'reviewer' });
  const all = [...ofYear, ...ofAllYears, ...formTabs.slice(1), notifications, ...tools, ...accountTabs];
  const hrefs = all.map(({ href }) => href).filter((href) => href !== '/overview');
  const withYear = (href: string): string =>
    pages.some(({ path, isOfYear }) => isOfYear && path === href) ? `${href}?year=2025` : href;
  const named = (prefix: string, as: TestClient, paths: readonly string[]): SitePage[] =>
    paths.map((path) => ({ name: prefix + path.slice(1).replaceAll('/', '-'), path: withYear(path), as }));
  const places: SitePage[] = [
    { name: 'start', path: '/' },
    { name: 'sign-in', path: '/sign-in' },
    { name: 'sign-in-link', path: '/sign-in/link#used' },
    { name: 'register', path: '/register' },
    { name: 'reset', path: '/reset' },
    { name: 'reset-confirm', path: '/reset/confirm#used' },
    { name: 'email-confirm', path: '/email/confirm#used' },
    { name: 'email-undo', path: '/email/undo#used' },
    { name: 'email-verify', path: '/email/verify#used' },
    { name: 'account-restore', path: '/account/restore#used' },
    { name: 'unsubscribe', path: '/unsubscribe#used' },
    { name: 'callback', path: '/auth/callback?error=access_denied' },
    { name: 'not-found', path: '/nowhere' },
    { name: 'authorize', path: `/authorize?${new URLSearchParams(await registerProgram(app))}`, as: cpa },
    { name: 'authorize-unknown', path: '/authorize?client_id=unknown', as: owner },
    { name: 'privacy', path: '/privacy' },
    { name: 'terms', path: '/terms' },
    { name: 'help', path: '/help' },
    { name: 'help-entry', path: '/help/wash-sale' },
    { name: 'invitation', path: `/invitations/${invitation.id}#${token}`, as: { cookie: newcomer.cookie } },
    { name: 'year', path: yearOfSitePages, as: owner },
    ...named('', owner, [
      ...hrefs,
      ...settingsTabs.slice(1).map(({ href }) => href),
      '/import/rejected',
      '/import/connections',
      '/funds',
    ]),
    ...[1, 2, 3].map((step) => ({ name: `setup-${step}`, path: `/welcome?step=${step}`, as: owner })),
    { name: 'import-file', path: `/import/${imports[0]?.id}`, as: owner },
    { name: 'clients', path: '/clients', as: cpa },
    { name: 'year-of-client', path: `${yearOfSitePages}&client=${clientCalled('Maria Lopez')}`, as: cpa },
    { name: 'notifications-of-client', path: `/notifications?client=${clientCalled('Tom Whitfield')}`, as: cpa },
    ...named('new-', newcomer, ['/overview', ...hrefs, '/clients', '/funds']),
  ];
  return { people, places };
}

async function fetchPeople(app: TestApp): Promise<People> {
  const cpa = await app.register('CPA');
  const owner = await app.register('PRO');
  const newcomer = await app.register();
  await owner.json('PATCH', '/v1/account', { body: { name: 'Maria Lopez', taxpayerName: 'Maria Lopez' } });
  for (const { name, text } of demoFiles) await importFile(owner, name, text);
  await importFile(owner, 'more.csv', moreRows);
  await grantAccess(app, cpa, owner, 'reviewer');
  await fetchState(owner);
  await connectProgram(app, owner);
  const { id } = await cpa.json<{ id: string }>('POST', '/v1/clients', { body: { name: 'Tom Whitfield' } }, 201);
  for (const { name, text } of demoFiles.filter((file) => file.name === 'coinbase.csv'))
    await importFile(cpa, name, text, `?client=${id}`);
  const demo = { cookie: sessionCookie(await app.request('POST', '/v1/auth/demo')) };
  return { newcomer, owner, cpa, demo };
}

/** Contains a fund, a form that differs from the books, and a line that cannot be read. */
const moreRows = `date,type,account,asset,quantity,amount,acquired,term,basis,box,asset_class
2025-02-05,defer_gain,Fund,12-3456789,100,15000,2025-01-10,long,,,stock
2025-06-02,sell,Fund,12-3456789,40,7000,,,,,stock
2025-03-18,reported_sale,Schwab,TSLA,25,5640,2024-10-02,,6225,A,stock
2025-05-05,reported_sale,Schwab,GE,10,1640,2024-11-04,,1500,A,stock
2025-03-01,buy,Coinbase,BTC,half,45000.00,,,,,
`;

async function importFile(who: TestClient, name: string, text: string, query = ''): Promise<void> {
  const headers = { 'content-type': 'text/csv', 'content-disposition': `attachment; filename="${name}"` };
  await who.json('POST', `/v1/transactions/import${query}`, { body: text, headers }, 201);
}

/** Creates user data other than rows: elections, a price, a balance, a mapping, a token, a note, a review, a report. */
async function fetchState(who: TestClient): Promise<void> {
  const accounts = {
    Fidelity: { type: 'taxable', form: '1099-B' },
    Schwab: { type: 'taxable', form: '1099-B' },
    Coinbase: { type: 'taxable', form: '1099-DA' },
    'Fidelity Roth IRA': { type: 'roth_ira' },
  };
  const settings = { filingStatus: 'single', taxableIncome: { 2024: '92000.00', 2025: '96000.00' }, accounts };
  await who.json('PATCH', '/v1/tax/settings', { body: settings });
  const prices = { body: 'date,asset,usd\n2025-12-31,BTC,87500\n2025-12-31,NVDA,187.20\n' };
  await who.json('POST', '/v1/prices', { ...prices, headers: { 'content-type': 'text/csv' } });
  const balance = { account: 'Coinbase', asset: 'BTC', on: '2025-12-31', quantity: '0.5' };
  await who.json('POST', '/v1/balances', { body: balance }, 201);
  await who.json('POST', '/v1/auth/tokens', { body: { name: 'Nightly import', scopes: ['read', 'import'] } }, 201);
  await who.json('POST', '/v1/tax/notes', { body: { year: 2025, text: 'Where is the 1099-DA of Coinbase?' } }, 201);
  await who.json('POST', '/v1/tax/reports', { body: { year: 2025 } });
  const mapping = encodeURIComponent(JSON.stringify(clubMapping));
  await importFile(who, 'club.csv', clubRows, `?account=Investment%20club&mapping=${mapping}`);
}

/** The example of RFC 7636, appendix B. */
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const proof = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };

/** Registers a program. Returns its request for access. */
export async function registerProgram(app: TestApp) {
  const [redirect_uri, client_name] = ['http://127.0.0.1:33418/callback', 'Example AI'];
  const response = await app.request('POST', '/oauth/register', {
    body: { client_name, redirect_uris: [redirect_uri] },
  });
  const { client_id = '' } = (await response.json()) as { client_id?: string };
  return { client_id, redirect_uri, response_type: 'code', scope: 'read import', ...proof };
}

/** Exchanges the code of the address that the user was sent to. Returns the program's access token. */
export async function exchangeCode(
  app: TestApp,
  { client_id, redirect_uri }: Awaited<ReturnType<typeof registerProgram>>,
  redirectTo: string,
): Promise<string> {
  const code = new URL(redirectTo).searchParams.get('code') ?? '';
  const grant = { grant_type: 'authorization_code', code, client_id, redirect_uri, code_verifier: verifier };
  const response = await app.request('POST', '/oauth/token', {
    body: new URLSearchParams(grant).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** Connects a program for the user. */
async function connectProgram(app: TestApp, who: TestClient): Promise<void> {
  const request = await registerProgram(app);
  const body = { request, scopes: ['read'], client: null };
  const { redirectTo } = await who.json<{ redirectTo: string }>('POST', '/v1/auth/programs', { body });
  await exchangeCode(app, request, redirectTo);
}

/** A file in an unknown format, and its mapping. */
const clubRows = `Trade Date,Ticker,Side,Qty,Unit Price,Commission,Member
2024-04-05,DIS,Bought,12,118.40,1.50,ML
2025-04-11,DIS,Sold,5,84.10,1.50,ML
`;
const clubMapping = {
  columns: {
    ...{ 'Trade Date': 'date', Ticker: 'asset', Side: 'type' },
    ...{ Qty: 'quantity', 'Unit Price': 'price', Commission: 'fee' },
  },
};

import { expect, test } from 'bun:test';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, type Environment, loadConfig } from '../src/config.ts';

function policyFile(name: string, content: string | Uint8Array): string {
  const path = join(mkdtempSync(join(tmpdir(), 'lotbook-policies-')), name);
  writeFileSync(path, content);
  return path;
}

test('the file of a policy must be readable text that is neither empty nor too long', () => {
  const paths = [
    '/no/such/file.md',
    tmpdir(),
    policyFile('empty.md', ' \n'),
    policyFile('binary.md', Uint8Array.of(0xff, 0xfe, 0x00)),
    policyFile('long.md', 'a'.repeat(100_001)),
  ];
  for (const path of paths) {
    expect(mistakesOf({ PRIVACY_FILE: path }).mistakes).toEqual([
      'PRIVACY_FILE must be the path of a readable text file in UTF-8 with at most 100000 bytes.',
    ]);
  }
});

test('an empty environment is a complete configuration', () => {
  expect(loadConfig({})).toEqual({
    port: 3000,
    host: 'localhost',
    baseUrl: 'http://localhost:3000',
    allowedOrigins: [],
    secure: false,
    databaseUrl: null,
    databaseDirectUrl: null,
    dataDir: './data',
    google: null,
    github: null,
    ai: null,
    mail: null,
    billing: null,
    ecbRatesUrl: null,
    metricsToken: null,
    secretKeys: [],
    prices: { kraken: null, coinbase: null, coingecko: null, tiingo: null },
    sync: { coinbase: null, kraken: null, ibkrFlex: null },
    trustedProxies: [],
    rateLimitFactor: 1,
    deletionGraceDays: 14,
    backup: { to: null, everyHours: 24, keep: 7, passphrase: null },
    s3: null,
    blobs: { to: null, graceDays: 14 },
    traces: null,
    policies: { privacy: null, terms: null },
    securityContacts: [],
  });
});

test('every variable is read', () => {
  const config = loadConfig({
    PORT: '8080',
    HOST: '0.0.0.0',
    BASE_URL: 'https://lotbook.example/',
    ALLOWED_ORIGINS: 'https://App.example.com:443/, http://127.0.0.1:5173,',
    DATABASE_URL: 'postgres://user:password@db.example:5432/lotbook',
    DATA_DIR: '/var/lib/lotbook',
    GOOGLE_CLIENT_ID: 'gi',
    GOOGLE_CLIENT_SECRET: 'gs',
    GITHUB_CLIENT_ID: 'hi',
    GITHUB_CLIENT_SECRET: 'hs',
    AI_BASE_URL: 'http://localhost:11434/v1',
    AI_API_KEY: 'key',
    AI_MODEL: 'small',
    STRIPE_SECRET_KEY: 'sk',
    STRIPE_WEBHOOK_SECRET: 'ws',
    SMTP_URL: 'smtps://user:password@mail.example',
    MAIL_FROM: 'Lotbook <hello@lotbook.example>',
    ECB_RATES_URL: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.xml',
    METRICS_TOKEN: 'a token of the operator',
    SECRET_KEY: 'a new key of at least 32 characters,an old key of at least 32 characters',
    KRAKEN_PRICES_URL: 'https://api.kraken.com',
    COINBASE_PRICES_URL: 'https://api.exchange.coinbase.com',
    COINGECKO_PRICES_URL: 'https://api.coingecko.com/api/v3',
    COINGECKO_API_KEY: 'cg',
    TIINGO_PRICES_URL: 'https://api.tiingo.com',
    TIINGO_API_KEY: 'ti',
    COINBASE_SYNC_URL: 'https://api.coinbase.com',
    KRAKEN_SYNC_URL: 'https://api.kraken.com',
    IBKR_FLEX_SYNC_URL: 'https://ndcdyn.interactivebrokers.com/AccountManagement/FlexWebService',
    TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    RATE_LIMIT_FACTOR: '2.5',
    DELETION_GRACE_DAYS: '0',
    BACKUP_EVERY_HOURS: '6',
    BACKUP_KEEP: '30',
    BACKUP_PASSPHRASE: 'a long passphrase',
    S3_ENDPOINT: 'https://s3.example',
    S3_ACCESS_KEY_ID: 'ak',
    S3_SECRET_ACCESS_KEY: 'sk',
    S3_REGION: 'eu-central-1',
    BLOBS_TO: 's3://files/lotbook',
    BLOBS_GRACE_DAYS: '30',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example/',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a=b, other=c',
    OTEL_SERVICE_NAME: 'books',
    PRIVACY_FILE: policyFile('privacy.md', '# Our policy\n'),
    TERMS_FILE: policyFile('terms.md', 'Our terms'),
    SECURITY_CONTACT: 'mailto:security@lotbook.example, https://lotbook.example/report',
  });
  expect(config).toEqual({
    port: 8080,
    host: '0.0.0.0',
    baseUrl: 'https://lotbook.example',
    // The origin has the form that browsers send: lowercase, without a default port.
    allowedOrigins: ['https://app.example.com', 'http://127.0.0.1:5173'],
    secure: true,
    databaseUrl: 'postgres://user:password@db.example:5432/lotbook',
    databaseDirectUrl: null,
    dataDir: '/var/lib/lotbook',
    google: { clientId: 'gi', clientSecret: 'gs' },
    github: { clientId: 'hi', clientSecret: 'hs' },
    ai: { baseUrl: 'http://localhost:11434/v1', apiKey: 'key', model: 'small' },
    mail: { smtpUrl: 'smtps://user:password@mail.example', from: 'Lotbook <hello@lotbook.example>' },
    billing: { secretKey: 'sk', webhookSecret: 'ws', apiUrl: 'https://api.stripe.com' },
    ecbRatesUrl: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.xml',
    metricsToken: 'a token of the operator',
    secretKeys: ['a new key of at least 32 characters', 'an old key of at least 32 characters'],
    prices: {
      kraken: 'https://api.kraken.com',
      coinbase: 'https://api.exchange.coinbase.com',
      coingecko: { baseUrl: 'https://api.coingecko.com/api/v3', apiKey: 'cg' },
      tiingo: { baseUrl: 'https://api.tiingo.com', apiKey: 'ti' },
    },
    sync: {
      coinbase: 'https://api.coinbase.com',
      kraken: 'https://api.kraken.com',
      ibkrFlex: 'https://ndcdyn.interactivebrokers.com/AccountManagement/FlexWebService',
    },
    trustedProxies: ['10.0.0.0/8', '::1'],
    rateLimitFactor: 2.5,
    deletionGraceDays: 0,
    backup: { to: null, everyHours: 6, keep: 30, passphrase: 'a long passphrase' },
    s3: { endpoint: 'https://s3.example', accessKeyId: 'ak', secretAccessKey: 'sk', region: 'eu-central-1' },
    blobs: { to: 's3://files/lotbook', graceDays: 30 },
    traces: { endpoint: 'https://otel.example', headers: { 'x-key': 'a=b', other: 'c' }, service: 'books' },
    policies: { privacy: '# Our policy', terms: 'Our terms' },
    securityContacts: ['mailto:security@lotbook.example', 'https://lotbook.example/report'],
  });
  expect(Object.isFrozen(config)).toBe(true);
});

test('an empty variable counts as unset', () => {
  expect(loadConfig({ PORT: '', DATABASE_URL: ' ', GOOGLE_CLIENT_ID: '' })).toEqual(loadConfig({}));
});

test('an IPv6 host results in a readable address', () => {
  expect(loadConfig({ HOST: '::1' }).baseUrl).toBe('http://[::1]:3000');
});

test('an invalid variable is reported even if another one that it needs is missing', () => {
  const names = mistakesOf({ AI_BASE_URL: 'localhost' }).mistakes.map((mistake) => mistake.split(' ')[0]);
  expect(names.sort()).toEqual(['AI_BASE_URL', 'AI_MODEL']);
});

test('all invalid variables are reported at once, and no report contains a secret', () => {
  const secret = 'hunter2';
  const error = mistakesOf({
    PORT: '70000',
    HOST: 'a b',
    BASE_URL: 'lotbook.example',
    DATABASE_URL: `mysql://root:${secret}@db/lotbook`,
    GOOGLE_CLIENT_ID: 'gi',
    GITHUB_CLIENT_SECRET: secret,
    AI_API_KEY: secret,
    STRIPE_SECRET_KEY: secret,
    SMTP_URL: `http://user:${secret}@mail`,
    MAIL_FROM: 'nobody',
    TRUSTED_PROXIES: '10.0.0.0/33',
    SECURITY_CONTACT: 'security@lotbook.example',
    RATE_LIMIT_FACTOR: '0',
  });
  expect(error.mistakes.map((mistake) => mistake.split(' ')[0]).sort()).toEqual([
    'AI_BASE_URL',
    'AI_MODEL',
    'BASE_URL',
    'DATABASE_URL',
    'GITHUB_CLIENT_ID',
    'GOOGLE_CLIENT_SECRET',
    'HOST',
    'MAIL_FROM',
    'PORT',
    'RATE_LIMIT_FACTOR',
    'SECURITY_CONTACT',
    'SMTP_URL',
    'STRIPE_WEBHOOK_SECRET',
    'TRUSTED_PROXIES',
  ]);
  expect(error.message).not.toContain(secret);
});

test.each([
  ['PORT', '0'],
  ['PORT', '3e3'],
  ['PORT', '-1'],
  ['BASE_URL', 'https://lotbook.example/app'],
  ['BASE_URL', 'ftp://lotbook.example'],
  ['ALLOWED_ORIGINS', '*'],
  ['ALLOWED_ORIGINS', 'null'],
  ['ALLOWED_ORIGINS', 'app.example.com'],
  ['ALLOWED_ORIGINS', 'https://*.example.com'],
  ['ALLOWED_ORIGINS', 'https://app.example.com/app'],
  ['ALLOWED_ORIGINS', 'https://app.example.com?'],
  ['ALLOWED_ORIGINS', 'https://ann@app.example.com'],
  ['ALLOWED_ORIGINS', 'https://app.example.com https://other.example.com'],
  ['ALLOWED_ORIGINS', 'chrome-extension://abcdefgh'],
  ['ALLOWED_ORIGINS', 'https://app.example.com,ftp://one.example.com,two'],
  ['DATABASE_URL', 'postgres://db.example'],
  ['TRUSTED_PROXIES', '256.0.0.1'],
  ['TRUSTED_PROXIES', 'proxy'],
  ['RATE_LIMIT_FACTOR', 'NaN'],
  ['RATE_LIMIT_FACTOR', '-1'],
  ['DELETION_GRACE_DAYS', '-1'],
  ['DELETION_GRACE_DAYS', '1.5'],
  ['BACKUP_KEEP', '0'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'secret'],
  ['BACKUP_EVERY_HOURS', '0'],
  ['BLOBS_TO', '/var/files'],
  ['BLOBS_TO', 'https://s3.example/files'],
  ['BLOBS_GRACE_DAYS', '0'],
  ['BACKUP_PASSPHRASE', 'short'],
  ['SECRET_KEY', 'short'],
  ['SECRET_KEY', 'a new key of at least 32 characters,old'],
])('%s cannot be %s', (name, value) => {
  expect(mistakesOf({ [name]: value }).mistakes).toHaveLength(1);
});

test('a bucket requires its service, and the PostgreSQL in DATABASE_URL is backed up with its own tools', () => {
  const ofBucket = mistakesOf({ BACKUP_TO: 's3://books' }).mistakes.map((mistake) => mistake.split(' ')[0]);
  expect(ofBucket).toEqual(['S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']);
  const ofFiles = mistakesOf({ BLOBS_TO: 's3://books/files', S3_ENDPOINT: 'https://s3.example' }).mistakes;
  expect(ofFiles.map((mistake) => mistake.split(' ')[0])).toEqual(['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']);
  const other = mistakesOf({ BACKUP_TO: '/backups', DATABASE_URL: 'postgres://db.example/lotbook' });
  expect(other.mistakes).toEqual([expect.stringContaining('BACKUP_TO is only for the embedded PostgreSQL')]);
});

function mistakesOf(env: Environment): ConfigError {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('The environment was accepted.');
}

import { parseBucketLocation } from './base/bucket-location.ts';
import { type Environment, EnvironmentReader } from './config/environment.ts';

export type { Environment };

/** The environment, read once. All mistakes in it are reported together (.github/OPERATIONS.md, "Environment"). */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** The public origin, without a trailing slash: `https://lotbook.example`. */
  readonly baseUrl: string;
  /** Pages from these origins may use the API from a browser, with credentials. */
  readonly allowedOrigins: readonly string[];
  /** The public address uses https, so cookies are `Secure` and HSTS is on. */
  readonly secure: boolean;
  /** Null means that the embedded PostgreSQL runs in `dataDir`. */
  readonly databaseUrl: string | null;
  /**
   * The direct address of the server if `databaseUrl` is a pooler in transaction mode. Null means that there is no
   * pooler.
   */
  readonly databaseDirectUrl: string | null;
  readonly dataDir: string;
  readonly google: ProviderCredentials | null;
  readonly github: ProviderCredentials | null;
  readonly ai: AiService | null;
  /** Null means that emails are written to the log. */
  readonly mail: MailServer | null;
  /** Null means that this server takes no payments. */
  readonly billing: BillingService | null;
  /**
   * The address of the reference rates from the European Central Bank, as XML. Null means that no rates are fetched.
   */
  readonly ecbRatesUrl: string | null;
  /** Token for reading /metrics from another machine. Null forbids it. */
  readonly metricsToken: string | null;
  /** Keys that encrypt stored secrets, newest first. If empty, a key in the database is used. */
  readonly secretKeys: readonly string[];
  /** The price providers. A provider that is null is not used. */
  readonly prices: PriceServices;
  /** The services that users can connect. One that is null is not offered. */
  readonly sync: SyncServices;
  /** Addresses and networks (`10.0.0.0/8`) whose `X-Forwarded-For` counts. */
  readonly trustedProxies: readonly string[];
  /** Multiplies every rate limit, but not the quotas of the plans. */
  readonly rateLimitFactor: number;
  /** Number of days in which an account deletion can be canceled. 0 erases immediately. */
  readonly deletionGraceDays: number;
  readonly backup: BackupSettings;
  readonly s3: S3Access | null;
  readonly blobs: BlobSettings;
  /** Null means that no traces are sent. */
  readonly traces: TraceService | null;
  /** The operator's own policies. */
  readonly policies: Policies;
  /** Where people report vulnerabilities, as addresses for `/.well-known/security.txt`. Empty if none is set. */
  readonly securityContacts: readonly string[];
}

/** Texts in Markdown. Null means that the operator has set none. */
interface Policies {
  readonly privacy: string | null;
  readonly terms: string | null;
}

/** An OpenTelemetry collector, reached by OTLP over HTTP. */
export interface TraceService {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The name of this service in the traces. */
  readonly service: string;
}

/** Settings of the embedded PostgreSQL. */
interface BackupSettings {
  /** A folder, or `s3://bucket/prefix`. Null means that the server makes no automatic backups. */
  readonly to: string | null;
  readonly everyHours: number;
  /** Number of backups that are kept. */
  readonly keep: number;
  /** Null means that backups are not encrypted. */
  readonly passphrase: string | null;
}

/** The store for imported files and the books of reports. */
interface BlobSettings {
  /** `s3://bucket/prefix`. Null means that PostgreSQL stores them. */
  readonly to: string | null;
  /** Number of days for which an unused object is kept, so that a backup of that age can be restored. */
  readonly graceDays: number;
}

/** An S3-compatible service. */
export interface S3Access {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region?: string;
}

/** Addresses of exchanges and brokers that Lotbook reads with a user's own keys. */
interface SyncServices {
  readonly coinbase: string | null;
  readonly kraken: string | null;
  /** The Flex Web Service of Interactive Brokers. */
  readonly ibkrFlex: string | null;
}

interface PriceServices {
  /** Addresses of services that need no key. */
  readonly kraken: string | null;
  readonly coinbase: string | null;
  readonly coingecko: PriceService | null;
  readonly tiingo: PriceService | null;
}

/** A price service that requires a key. */
export interface PriceService {
  readonly baseUrl: string;
  readonly apiKey: string;
}

export interface ProviderCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** An OpenAI-compatible service. One on the same machine may need no key. */
export interface AiService {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly model: string;
}

/** Stripe. */
export interface BillingService {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly apiUrl: string;
}

/** The server that accepts our emails, and the sender address. */
export interface MailServer {
  readonly smtpUrl: string;
  readonly from: string;
}

/** Thrown by loadConfig. Each mistake is one sentence that starts with the name of its variable. */
export class ConfigError extends Error {
  constructor(readonly mistakes: readonly string[]) {
    super(
      `The environment has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}

/** Reads the configuration. A value that is set but empty counts as not set. */
export function loadConfig(env: Environment): Config {
  const read = new EnvironmentReader(env);
  const host = read.host('HOST', 'localhost');
  const port = read.integer('PORT', 3000, 1, 65_535);
  const baseUrl = read.origin('BASE_URL') ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const config: Config = {
    port,
    host,
    baseUrl,
    allowedOrigins: Object.freeze(read.origins('ALLOWED_ORIGINS')),
    secure: baseUrl.startsWith('https:'),
    databaseUrl: read.databaseUrl('DATABASE_URL'),
    databaseDirectUrl: read.databaseUrl('DATABASE_DIRECT_URL'),
    dataDir: read.text('DATA_DIR') ?? './data',
    google: provider(read, 'GOOGLE'),
    github: provider(read, 'GITHUB'),
    ai: aiService(read),
    mail: mailServer(read),
    billing: billingService(read),
    ecbRatesUrl: address(read, 'ECB_RATES_URL'),
    metricsToken: read.secret('METRICS_TOKEN', 16),
    secretKeys: Object.freeze(read.secrets('SECRET_KEY', 32)),
    prices: Object.freeze({
      kraken: address(read, 'KRAKEN_PRICES_URL'),
      coinbase: address(read, 'COINBASE_PRICES_URL'),
      coingecko: priceService(read, 'COINGECKO'),
      tiingo: priceService(read, 'TIINGO'),
    }),
    sync: Object.freeze({
      coinbase: address(read, 'COINBASE_SYNC_URL'),
      kraken: address(read, 'KRAKEN_SYNC_URL'),
      ibkrFlex: address(read, 'IBKR_FLEX_SYNC_URL'),
    }),
    trustedProxies: Object.freeze(read.networks('TRUSTED_PROXIES')),
    rateLimitFactor: read.positive('RATE_LIMIT_FACTOR', 1),
    deletionGraceDays: read.integer('DELETION_GRACE_DAYS', 14, 0, 365),
    backup: backupSettings(read),
    s3: s3Access(read),
    blobs: blobSettings(read),
    traces: traceService(read),
    policies: Object.freeze({ privacy: read.textFile('PRIVACY_FILE'), terms: read.textFile('TERMS_FILE') }),
    securityContacts: Object.freeze(read.contacts('SECURITY_CONTACT')),
  };
  if (config.databaseDirectUrl !== null && config.databaseUrl === null) {
    read.mistake('DATABASE_DIRECT_URL', 'requires DATABASE_URL, the address of the pooler in front of it');
  }
  if (read.mistakes.length > 0) throw new ConfigError(read.mistakes);
  return Object.freeze(config);
}

function provider(read: EnvironmentReader, name: 'GOOGLE' | 'GITHUB'): ProviderCredentials | null {
  const [clientId, clientSecret] = read.allOrNone([`${name}_CLIENT_ID`, `${name}_CLIENT_SECRET`]);
  return clientId === undefined || clientSecret === undefined ? null : Object.freeze({ clientId, clientSecret });
}

function aiService(read: EnvironmentReader): AiService | null {
  const apiKey = read.text('AI_API_KEY') ?? null;
  const [baseUrl, model] = read.allOrNone(['AI_BASE_URL', 'AI_MODEL'], apiKey === null ? undefined : 'AI_API_KEY');
  if (baseUrl !== undefined) read.url('AI_BASE_URL', baseUrl, ['http:', 'https:']);
  if (baseUrl === undefined || model === undefined) return null;
  return Object.freeze({ baseUrl, apiKey, model });
}

const stripeApi = 'https://api.stripe.com';

function billingService(read: EnvironmentReader): BillingService | null {
  const [secretKey, webhookSecret] = read.allOrNone(['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']);
  const apiUrl = address(read, 'STRIPE_API_URL') ?? stripeApi;
  return secretKey === undefined || webhookSecret === undefined
    ? null
    : Object.freeze({ secretKey, webhookSecret, apiUrl });
}

function address(read: EnvironmentReader, name: string): string | null {
  const url = read.text(name);
  if (url !== undefined) read.url(name, url, ['http:', 'https:']);
  return url ?? null;
}

function priceService(read: EnvironmentReader, name: 'COINGECKO' | 'TIINGO'): PriceService | null {
  const [baseUrl, apiKey] = read.allOrNone([`${name}_PRICES_URL`, `${name}_API_KEY`]);
  if (baseUrl !== undefined) read.url(`${name}_PRICES_URL`, baseUrl, ['http:', 'https:']);
  return baseUrl === undefined || apiKey === undefined ? null : Object.freeze({ baseUrl, apiKey });
}

function mailServer(read: EnvironmentReader): MailServer | null {
  const from = read.text('MAIL_FROM');
  if (from !== undefined && !/^(?:[^<>]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(from)) {
    read.mistake('MAIL_FROM', 'must be an email address, or a name and the address in angle brackets');
  }
  const smtpUrl = read.text('SMTP_URL');
  if (smtpUrl === undefined) return null;
  read.url('SMTP_URL', smtpUrl, ['smtp:', 'smtps:']);
  if (from === undefined) read.mistake('MAIL_FROM', 'is required if SMTP_URL is set: the sender address of emails');
  return Object.freeze({ smtpUrl, from: from ?? '' });
}

function backupSettings(read: EnvironmentReader): BackupSettings {
  const to = read.text('BACKUP_TO') ?? null;
  if (to !== null && read.text('DATABASE_URL') !== undefined) {
    read.mistake(
      'BACKUP_TO',
      'is only for the embedded PostgreSQL. For the one of DATABASE_URL, use its own tools or `lotbook dump`',
    );
  }
  return Object.freeze({
    to,
    everyHours: read.positive('BACKUP_EVERY_HOURS', 24),
    keep: read.integer('BACKUP_KEEP', 7, 1, 1_000),
    passphrase: read.secret('BACKUP_PASSPHRASE', 12),
  });
}

/** Reads the trace settings, whose names come from OpenTelemetry's own specification. */
function traceService(read: EnvironmentReader): TraceService | null {
  const url = read.text('OTEL_EXPORTER_OTLP_ENDPOINT');
  if (url !== undefined) read.url('OTEL_EXPORTER_OTLP_ENDPOINT', url, ['http:', 'https:']);
  const pairs = (read.text('OTEL_EXPORTER_OTLP_HEADERS') ?? '').split(',').filter((pair) => pair.trim() !== '');
  const headers = pairs.map((pair) => /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(pair)?.slice(1, 3) ?? null);
  if (headers.includes(null))
    read.mistake('OTEL_EXPORTER_OTLP_HEADERS', 'must be name=value, with commas between several');
  if (url === undefined) return null;
  return Object.freeze({
    endpoint: url.replace(/\/+$/, ''),
    headers: Object.freeze(Object.fromEntries(headers.filter((pair) => pair !== null))),
    service: read.text('OTEL_SERVICE_NAME') ?? 'lotbook',
  });
}

function blobSettings(read: EnvironmentReader): BlobSettings {
  const to = read.text('BLOBS_TO') ?? null;
  if (to !== null && parseBucketLocation(to) === null) {
    read.mistake('BLOBS_TO', 'must be s3://BUCKET or s3://BUCKET/PREFIX; without it PostgreSQL stores everything');
  }
  return Object.freeze({ to, graceDays: read.integer('BLOBS_GRACE_DAYS', 14, 1, 3_650) });
}

function s3Access(read: EnvironmentReader): S3Access | null {
  const because = ['BLOBS_TO', 'BACKUP_TO'].find((name) => read.text(name)?.startsWith('s3://') === true);
  const names = ['S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];
  const [endpoint, accessKeyId, secretAccessKey] = read.allOrNone(names, because);
  if (endpoint !== undefined) read.url('S3_ENDPOINT', endpoint, ['http:', 'https:']);
  if (endpoint === undefined || accessKeyId === undefined || secretAccessKey === undefined) return null;
  const region = read.text('S3_REGION');
  return Object.freeze({ endpoint, accessKeyId, secretAccessKey, ...(region === undefined ? {} : { region }) });
}

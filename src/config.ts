/** The environment, read once. All mistakes in it are reported together (API.md section 6). */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** The public origin, without a slash at its end: `https://lotbook.example`. */
  readonly baseUrl: string;
  /** The public address is https: cookies are `Secure` and HSTS is on. */
  readonly secure: boolean;
  /** Null: the embedded PostgreSQL runs in `dataDir`. */
  readonly databaseUrl: string | null;
  /** The server itself, where `databaseUrl` is of a pooler in transaction mode. Null: there is no pooler. */
  readonly databaseDirectUrl: string | null;
  readonly dataDir: string;
  readonly google: ProviderCredentials | null;
  readonly github: ProviderCredentials | null;
  readonly ai: AiService | null;
  /** Null: mails are written to the log. */
  readonly mail: MailServer | null;
  /** The reference rates of the European Central Bank, as XML. Null: no rates are fetched. */
  readonly ecbRatesUrl: string | null;
  /** Who knows it may read /metrics from another machine. Null: nobody may. */
  readonly metricsToken: string | null;
  /** The services that are asked for prices; of those that are null none is asked. */
  readonly prices: PriceServices;
  /** Addresses and networks (`10.0.0.0/8`) whose `X-Forwarded-For` counts. */
  readonly trustedProxies: readonly string[];
  /** Multiplies every rate limit, never the quotas of the plans. */
  readonly rateLimitFactor: number;
}

export interface PriceServices {
  /** Addresses of services that need no key. */
  readonly kraken: string | null;
  readonly coinbase: string | null;
  readonly coingecko: PriceService | null;
  readonly tiingo: PriceService | null;
}

/** A service of prices that wants a key. */
export interface PriceService {
  readonly baseUrl: string;
  readonly apiKey: string;
}

export interface ProviderCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A service with OpenAI's protocol. One on the same machine may need no key. */
export interface AiService {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly model: string;
}

/** The server that takes our mails, and the address that they come from. */
export interface MailServer {
  readonly smtpUrl: string;
  readonly from: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Thrown by loadConfig. Each mistake is one sentence that begins with the name of its variable. */
export class ConfigError extends Error {
  constructor(readonly mistakes: readonly string[]) {
    super(
      `The environment has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}

/** A value that is set but empty counts as not set. */
export function loadConfig(env: Environment): Config {
  const read = new EnvironmentReader(env);
  const host = read.host('HOST', 'localhost');
  const port = read.integer('PORT', 3000, 1, 65_535);
  const baseUrl = read.origin('BASE_URL') ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const config: Config = {
    port,
    host,
    baseUrl,
    secure: baseUrl.startsWith('https:'),
    databaseUrl: read.databaseUrl('DATABASE_URL'),
    databaseDirectUrl: read.databaseUrl('DATABASE_DIRECT_URL'),
    dataDir: read.text('DATA_DIR') ?? './data',
    google: provider(read, 'GOOGLE'),
    github: provider(read, 'GITHUB'),
    ai: aiService(read),
    mail: mailServer(read),
    ecbRatesUrl: address(read, 'ECB_RATES_URL'),
    metricsToken: read.secret('METRICS_TOKEN', 16),
    prices: Object.freeze({
      kraken: address(read, 'KRAKEN_PRICES_URL'),
      coinbase: address(read, 'COINBASE_PRICES_URL'),
      coingecko: priceService(read, 'COINGECKO'),
      tiingo: priceService(read, 'TIINGO'),
    }),
    trustedProxies: Object.freeze(read.networks('TRUSTED_PROXIES')),
    rateLimitFactor: read.positive('RATE_LIMIT_FACTOR', 1),
  };
  if (config.databaseDirectUrl !== null && config.databaseUrl === null) {
    read.mistake('DATABASE_DIRECT_URL', 'needs DATABASE_URL, the address of the pooler before it');
  }
  checkBilling(read);
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

/** API.md names these variables. Nothing uses them yet, so only their mistakes matter. */
function checkBilling(read: EnvironmentReader): void {
  read.allOrNone(['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']);
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
    read.mistake('MAIL_FROM', 'is an e-mail address, or a name and the address in angle brackets');
  }
  const smtpUrl = read.text('SMTP_URL');
  if (smtpUrl === undefined) return null;
  read.url('SMTP_URL', smtpUrl, ['smtp:', 'smtps:']);
  if (from === undefined)
    read.mistake('MAIL_FROM', 'is needed where SMTP_URL is set: the address that mails come from');
  return Object.freeze({ smtpUrl, from: from ?? '' });
}

/** Reads variables and collects the mistakes in them. No mistake repeats a value: some are secrets. */
class EnvironmentReader {
  readonly mistakes: string[] = [];

  constructor(private readonly env: Environment) {}

  mistake(name: string, sentence: string): void {
    this.mistakes.push(`${name} ${sentence}.`);
  }

  text(name: string): string | undefined {
    const value = this.env[name]?.trim();
    return value === undefined || value === '' ? undefined : value;
  }

  /** The values of variables that are needed together. With `because` set, they are needed anyway. */
  allOrNone(names: readonly string[], because?: string): (string | undefined)[] {
    const values = names.map((name) => this.text(name));
    const present = because ?? names.find((_, index) => values[index] !== undefined);
    if (present === undefined) return values;
    names.forEach((name, index) => {
      if (values[index] === undefined) this.mistake(name, `is needed where ${present} is set`);
    });
    return values;
  }

  integer(name: string, fallback: number, least: number, most: number): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    this.mistake(name, `is a whole number from ${least} to ${most}`);
    return fallback;
  }

  positive(name: string, fallback: number): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = /^\d{0,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
    if (value > 0) return value;
    this.mistake(name, 'is a number greater than 0, as 1 or 2.5');
    return fallback;
  }

  host(name: string, fallback: string): string {
    const text = this.text(name);
    if (text === undefined) return fallback;
    if (/^[A-Za-z0-9.:_-]+$/.test(text)) return text;
    this.mistake(name, 'is a host name or an address to listen on, as localhost or 0.0.0.0');
    return fallback;
  }

  secret(name: string, lengthMin: number): string | null {
    const text = this.text(name);
    if (text !== undefined && text.length < lengthMin) this.mistake(name, `has at least ${lengthMin} characters`);
    return text ?? null;
  }

  url(name: string, text: string, protocols: readonly string[]): URL | undefined {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url !== undefined && protocols.includes(url.protocol) && url.hostname !== '') return url;
    this.mistake(name, `is an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
    return undefined;
  }

  origin(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const url = this.url(name, text, ['http:', 'https:']);
    if (url === undefined) return undefined;
    if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
      this.mistake(name, 'is an origin only, as https://lotbook.example: no path, query or password');
    }
    return url.origin;
  }

  databaseUrl(name: string): string | null {
    const text = this.text(name);
    if (text === undefined) return null;
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || !['postgres:', 'postgresql:'].includes(url.protocol) || url.pathname.length < 2) {
      this.mistake(name, 'is the address of a PostgreSQL database, as postgres://user:password@host:5432/lotbook');
    }
    return text;
  }

  networks(name: string): string[] {
    const parts = (this.text(name) ?? '').split(',').map((part) => part.trim());
    const networks = parts.filter((part) => part !== '');
    if (!networks.every(isNetwork)) {
      this.mistake(name, 'is a list of addresses or networks with commas between them, as 10.0.0.0/8,::1');
    }
    return networks;
  }
}

function isNetwork(text: string): boolean {
  const [address = '', length, ...more] = text.split('/');
  const version = addressVersion(address);
  if (version === 0 || more.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (version === 4 ? 32 : 128));
}

function addressVersion(address: string): 0 | 4 | 6 {
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(address)) return address.split('.').every((part) => Number(part) <= 255) ? 4 : 0;
  return address.includes(':') && URL.canParse(`http://[${address}]/`) ? 6 : 0;
}

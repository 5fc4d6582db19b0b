import { readFileSync } from 'node:fs';
export type Environment = Readonly<Record<string, string | undefined>>;

const textFileBytesMax = 100_000;

/** Reads variables and collects the mistakes in them. Error texts never repeat a value because some are secrets. */
export class EnvironmentReader {
  readonly mistakes: string[] = [];

  constructor(private readonly env: Environment) {}

  mistake(name: string, sentence: string): void {
    this.mistakes.push(`${name} ${sentence}.`);
  }

  text(name: string): string | undefined {
    const value = this.env[name]?.trim();
    return value === undefined || value === '' ? undefined : value;
  }

  /** Returns the values of variables that must be set together. `because` makes them required in any case. */
  allOrNone(names: readonly string[], because?: string): (string | undefined)[] {
    const values = names.map((name) => this.text(name));
    const present = because ?? names.find((_, index) => values[index] !== undefined);
    if (present === undefined) return values;
    names.forEach((name, index) => {
      if (values[index] === undefined) this.mistake(name, `is required if ${present} is set`);
    });
    return values;
  }

  integer(name: string, fallback: number, least: number, most: number): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    this.mistake(name, `must be a whole number from ${least} to ${most}`);
    return fallback;
  }

  positive(name: string, fallback: number): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = /^\d{0,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
    if (value > 0) return value;
    this.mistake(name, 'must be a number greater than 0, like 1 or 2.5');
    return fallback;
  }

  /** Returns the text of the file that a variable names. */
  textFile(name: string): string | null {
    const path = this.text(name);
    if (path === undefined) return null;
    try {
      const bytes = readFileSync(path);
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
      if (text !== '' && bytes.length <= textFileBytesMax) return text;
    } catch {}
    this.mistake(name, `must be the path of a readable text file in UTF-8 with at most ${textFileBytesMax} bytes`);
    return null;
  }

  host(name: string, fallback: string): string {
    const text = this.text(name);
    if (text === undefined) return fallback;
    if (/^[A-Za-z0-9.:_-]+$/.test(text)) return text;
    this.mistake(name, 'must be a host name or an address to listen on, like localhost or 0.0.0.0');
    return fallback;
  }

  secret(name: string, lengthMin: number): string | null {
    const text = this.text(name);
    if (text !== undefined && text.length < lengthMin) this.mistake(name, `must have at least ${lengthMin} characters`);
    return text ?? null;
  }

  /** Returns several values, separated by commas. */
  secrets(name: string, lengthMin: number): string[] {
    const secrets = (this.text(name) ?? '').split(',').filter((secret) => secret !== '');
    if (secrets.some((secret) => secret.length < lengthMin)) {
      this.mistake(name, `must have at least ${lengthMin} characters, and so must each of several separated by commas`);
    }
    return secrets;
  }

  url(name: string, text: string, protocols: readonly string[]): URL | undefined {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url !== undefined && protocols.includes(url.protocol) && url.hostname !== '') return url;
    this.mistake(
      name,
      `must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    );
    return undefined;
  }

  origin(name: string): string | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : this.readOrigin(name, text);
  }

  /** Returns several values, separated by commas. */
  origins(name: string): string[] {
    const origins: string[] = [];
    for (const text of this.parts(name)) {
      const origin = this.readOrigin(name, text);
      if (origin === undefined) return [];
      origins.push(origin);
    }
    return origins;
  }

  private readOrigin(name: string, text: string): string | undefined {
    const url = this.url(name, text, ['http:', 'https:']);
    if (url === undefined) return undefined;
    // A browser sends one host, so a pattern with an asterisk would never match.
    const isOnly = url.href === `${url.origin}/` && !url.hostname.includes('*');
    if (isOnly) return url.origin;
    this.mistake(name, 'must be an origin only, like https://lotbook.example: no path, query, password or asterisk');
    return undefined;
  }

  databaseUrl(name: string): string | null {
    const text = this.text(name);
    if (text === undefined) return null;
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || !['postgres:', 'postgresql:'].includes(url.protocol) || url.pathname.length < 2) {
      this.mistake(
        name,
        'must be the address of a PostgreSQL database, like postgres://user:password@host:5432/lotbook',
      );
    }
    return text;
  }

  private parts(name: string): string[] {
    const parts = (this.text(name) ?? '').split(',').map((part) => part.trim());
    return parts.filter((part) => part !== '');
  }

  /** Returns the addresses of people to write to, separated by commas (RFC 9116, section 2.5.3). */
  contacts(name: string): string[] {
    const contacts = this.parts(name);
    if (!contacts.every((contact) => /^(?:mailto:[^\s@]+@|https:\/\/|tel:\+?\d)\S+$/.test(contact))) {
      this.mistake(name, 'must begin with mailto:, https:// or tel:, and so must each of several separated by commas');
    }
    return contacts;
  }

  networks(name: string): string[] {
    const networks = this.parts(name);
    if (!networks.every(isNetwork)) {
      this.mistake(name, 'must be a list of addresses or networks separated by commas, like 10.0.0.0/8,::1');
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

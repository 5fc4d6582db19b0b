import { type ExchangeClient, ExchangeFault, type ExchangeKeys, type ExchangeState, KeysRefused } from './exchange.ts';
import { formatSecond, sendRequest, toText } from './request.ts';

/**
 * The official address is `https://ndcdyn.interactivebrokers.com/AccountManagement/FlexWebService`. Source: Flex Web
 * Service, version 3.
 */
interface FlexOptions {
  readonly baseUrl: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Requests the statement of a Flex query and waits for it. The query decides which days it covers, so each statement
 * repeats rows of earlier ones.
 */
export function flexExchange({ baseUrl, now }: FlexOptions): ExchangeClient {
  const ask = async (path: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<string> => {
    const url = new URL(`${baseUrl.replace(/\/+$/, '')}/${path}`);
    for (const [name, value] of Object.entries({ ...query, v: '3' })) url.searchParams.set(name, value);
    const { status, text } = await sendRequest({ method: 'GET', url, headers: {} }, signal);
    if (status !== 200) throw new ExchangeFault('failed', `Interactive Brokers answered with status ${status}.`);
    return text;
  };
  const request = async ({ key, secret }: ExchangeKeys, signal: AbortSignal): Promise<string> => {
    const text = await ask('SendRequest', { t: secret, q: key }, signal);
    const reference = readElement(text, 'ReferenceCode');
    if (readElement(text, 'Status') !== 'Success' || !/^\d{1,20}$/.test(reference)) throw toFault(text);
    return reference;
  };
  return {
    ...{ kind: 'ibkr_flex', name: 'Interactive Brokers', format: 'ibkr-flex', host: new URL(baseUrl).host },
    // A token may send one request a second and ten a minute.
    pauseMilliseconds: 6_000,
    repeatsRows: true,
    checkKeys: async (keys, signal) => {
      if (!/^\d{1,12}$/.test(keys.key)) throw new KeysRefused('A query ID has only digits, like 123456.');
      if (!/^\d{10,60}$/.test(keys.secret)) throw new KeysRefused('A token has only digits. Copy all of it.', 'secret');
      await request(keys, signal);
    },
    begin: async (keys, _cursor, signal) => ({
      position: { reference: await request(keys, signal), polls: 0 },
      balances: [],
    }),
    readPage: async ({ secret }, position, signal) => {
      const text = await ask('GetStatement', { t: secret, q: toText(position.reference) }, signal);
      if (text.includes('<FlexQueryResponse')) {
        if (!/<\/FlexQueryResponse>\s*$/.test(text)) throw new ExchangeFault('failed', 'The statement is incomplete.');
        return { content: text, position, isDone: true };
      }
      const polls = Number(position.polls);
      if (readElement(text, 'ErrorCode') !== inProgress || polls >= pollsMax) throw toFault(text);
      return { content: null, position: { ...position, polls: polls + 1 }, isDone: false };
    },
    buildFile: async (pages): Promise<{ fileName: string; rows: number; text: string; cursor: ExchangeState }> => {
      const at = now();
      const text = pages.at(-1) ?? '';
      return {
        fileName: `flex-${formatSecond(at / 1_000).slice(0, 10)}.xml`,
        rows: text === '' ? 0 : 1,
        text,
        cursor: { at },
      };
    },
  };
}

const inProgress = '1019';
const pollsMax = 50;

/** The codes of the Flex Web Service that a new token or query solves. */
const refusals: ReadonlyMap<string, KeysRefused> = new Map([
  ['1010', new KeysRefused('This is an old kind of Flex query. Create an Activity Flex Query.')],
  ['1011', new KeysRefused('The Flex Web Service is off. Turn it on under Flex Queries, Flex Web Service.', 'secret')],
  ['1012', new KeysRefused('The token has expired. Create a new one under Flex Queries, Flex Web Service.', 'secret')],
  [
    '1013',
    new KeysRefused('The token is limited to other IP addresses. Remove the limit or create a new one.', 'secret'),
  ],
  ['1014', new KeysRefused('Interactive Brokers does not know this query ID.')],
  ['1015', new KeysRefused('Interactive Brokers does not accept this token.', 'secret')],
  ['1016', new KeysRefused('The account of this query is closed or not yours.')],
]);

function toFault(text: string): Error {
  const code = readElement(text, 'ErrorCode');
  const refused = refusals.get(code);
  if (refused !== undefined) return new KeysRefused(refused.message, refused.field);
  if (code === '1018') return new ExchangeFault('busy', 'Interactive Brokers asked us to wait.', 600);
  return new ExchangeFault('failed', 'Interactive Brokers could not create the statement.');
}

/** Reads an element of the short answers of the service. Statements are read by `formats`. */
function readElement(text: string, name: string): string {
  return new RegExp(`<${name}>\\s*([^<]{0,200}?)\\s*</${name}>`).exec(text.slice(0, 4_000))?.[1] ?? '';
}

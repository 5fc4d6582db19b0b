import { csvRecord } from '../../base/csv.ts';
import { Refusal } from '../../base/refusal.ts';
import { readOption } from '../cells/option-symbol.ts';
import { type OfxRecord, type OfxValue, readOfxParts } from './ofx-elements.ts';

/**
 * Writes the investment accounts of an OFX or QFX file as CSV, which `sources/ofx.ts` reads. A transaction, a position
 * and an open order are one row each. The accounts follow one another, and a line above the rows of each names it.
 */
export function* csvOfOfx(source: string): Generator<string> {
  const { securities, accounts, refusal } = survey(source);
  if (accounts === 0) throw refusal;
  const statement = { account: '', broker: '', currency: '', asOf: '' };
  let [organization, isHeaderWritten] = ['', false];
  for (const part of readOfxParts(source)) {
    if ('list' in part) {
      if (part.list === 'SECLIST') continue;
      if (!isHeaderWritten) yield* head(statement, organization);
      isHeaderWritten = true;
      yield toLine(toCells(part, securities, statement));
      continue;
    }
    const { name, parent, text } = part;
    if (name === 'ORG' && parent === 'FI') organization = text;
    else if (name === 'DTASOF') statement.asOf = text;
    else if (name === 'CURDEF') Object.assign(statement, { currency: text, account: '', broker: '' });
    else if (name === 'BROKERID') statement.broker = text;
    else if (name === 'ACCTID' && accountParents.has(parent)) {
      statement.account = text;
      if (isHeaderWritten) yield toLine([titleOf(statement, organization)]);
    }
  }
  if (!isHeaderWritten) yield* head(statement, organization);
}

const accountParents: ReadonlySet<string> = new Set(['INVACCTFROM', 'BANKACCTFROM', 'CCACCTFROM']);

interface OfxStatement {
  readonly account: string;
  readonly broker: string;
  readonly currency: string;
  readonly asOf: string;
}

function* head(statement: OfxStatement, organization: string): Generator<string> {
  if (statement.account !== '') yield toLine([titleOf(statement, organization)]);
  yield toLine(Object.keys(columns));
}

/** Names the account as `account-statements.ts` reads it: `Account: Fidelity X12345678`. */
function titleOf({ account, broker }: OfxStatement, organization: string): string {
  const named = brokers.find(([pattern]) => pattern.test(broker)) ?? brokers.find(([one]) => one.test(organization));
  return `Account: ${named?.[1] ?? (organization || broker)} ${account}`;
}

/** Brokers by `BROKERID` or `ORG`. */
const brokers: readonly (readonly [RegExp, string])[] = [
  [/fidelity/i, 'Fidelity'],
  [/schwab/i, 'Schwab'],
  [/vanguard/i, 'Vanguard'],
  [/e\*?trade/i, 'E*TRADE'],
  [/merrill|^ml\.com/i, 'Merrill'],
  [/ameritrade/i, 'TD Ameritrade'],
  [/^(?:4705|ibllc.*|interactive ?brokers.*)$/i, 'Interactive Brokers'],
  [/morgan ?stanley/i, 'Morgan Stanley'],
  [/chase|jp ?morgan/i, 'Chase'],
  [/t\.? ?rowe/i, 'T. Rowe Price'],
];

interface Security {
  readonly symbol: string;
  readonly name: string;
  readonly kind: string;
}

/** Reads the whole file once: its securities, which follow the transactions, and what is wrong with it. */
function survey(source: string) {
  const records: OfxRecord[] = [];
  const tickers = new Map<string, string>();
  let [accounts, isBank, message] = [0, false, ''];
  for (const part of readOfxParts(source)) {
    if (!('list' in part)) {
      const { name, parent }: OfxValue = part;
      if (name === 'ACCTID' && parent === 'INVACCTFROM') accounts += 1;
      isBank ||= parent === 'BANKACCTFROM' || parent === 'CCACCTFROM';
      if (name === 'MESSAGE' && parent === 'STATUS') message = part.text;
    } else if (part.list === 'INVTRANLIST' || part.list === 'INVPOSLIST') accounts = Math.max(accounts, 1);
    else if (part.list === 'SECLIST' && records.length < securitiesMax) {
      records.push(part);
      const ticker = part.texts.get('SECINFO/TICKER');
      if (ticker !== undefined) tickers.set(part.texts.get('SECINFO/SECID/UNIQUEID') ?? '', ticker.toUpperCase());
    }
  }
  const securities = new Map<string, Security>();
  for (const { name, texts } of records) {
    const id = texts.get('SECINFO/SECID/UNIQUEID') ?? '';
    const kind = name.replace('INFO', '');
    const symbol = kind === 'OPT' ? nameOption(texts, tickers) : tickers.get(id);
    if (!securities.has(id))
      securities.set(id, { symbol: symbol || id, name: texts.get('SECINFO/SECNAME') ?? '', kind });
  }
  return { securities, accounts, refusal: refuseWithoutAccount(isBank, message) };
}

const securitiesMax = 100_000;

function refuseWithoutAccount(isBank: boolean, message: string): Refusal {
  const reason = isBank
    ? 'This OFX file contains a bank or card account, which is not part of a gain, and no investment account.'
    : 'This OFX file contains no investment account (INVSTMTRS).';
  const answer = message === '' || /success/i.test(message) ? '' : ` The broker answered "${message.slice(0, 200)}".`;
  return new Refusal('not_csv', `${reason}${answer} Download the activity of your brokerage account.`);
}

/** Returns the first of the texts that name an option, or a symbol from its terms. */
function nameOption(texts: ReadonlyMap<string, string>, tickers: ReadonlyMap<string, string>): string {
  const text = (path: string): string => texts.get(path) ?? '';
  const names = [text('SECINFO/TICKER'), text('SECINFO/SECID/UNIQUEID'), text('SECINFO/SECNAME')];
  const named = names.find((name) => readOption(name) !== undefined);
  if (named !== undefined) return named;
  const expires = /^(\d{4})(\d\d)(\d\d)/.exec(text('DTEXPIRE'));
  const underlying = tickers.get(text('SECID/UNIQUEID')) ?? '';
  if (expires === null || underlying === '') return names.find((name) => name !== '') ?? '';
  const strike = plain(text('STRIKEPRICE')).replace(/\.?0*$/, (zeros) => (zeros.includes('.') ? '' : zeros));
  return `${underlying} ${expires.slice(1).join('-')} ${text('OPTTYPE').charAt(0)} ${strike}`;
}

interface OfxRow {
  readonly record: OfxRecord;
  readonly security: Security | undefined;
  readonly statement: OfxStatement;
}

/** The columns, each with the elements that it is read from. The first one with a text counts. */
const columns: Readonly<Record<string, (row: OfxRow) => string>> = {
  Element: ({ record: { name, texts } }) =>
    [name, ...details.map((detail) => texts.get(detail)?.toUpperCase() ?? '')].filter((word) => word !== '').join(' '),
  'File line': ({ record }) => String(record.line),
  FITID: textOf('FITID'),
  'Reversal of': textOf('REVERSALFITID', 'CORRECTFITID'),
  'Trade date': ({ record: { list, texts }, statement: { asOf } }) =>
    formatTime(list === 'INVPOSLIST' ? asOf : (find(texts, ['DTTRADE', 'DTPOSTED', 'DTPLACED']) ?? '')),
  Symbol: ({ record, security }) => security?.symbol ?? textOf('UNIQUEID')({ record }).toUpperCase(),
  CUSIP: ({ record: { texts } }) => (/^(?:CUSIP|ISIN)$/i.test(texts.get('UNIQUEIDTYPE') ?? '') ? id(texts) : ''),
  'Security name': ({ security }) => security?.name ?? '',
  'Security type': ({ record: { name }, security }) => security?.kind ?? /DEBT|OPT|MF|STOCK/.exec(name)?.[0] ?? '',
  Units: numberOf('UNITS'),
  'Unit price': numberOf('UNITPRICE'),
  Commission: numberOf('COMMISSION'),
  Fees: numberOf('FEES'),
  Taxes: numberOf('TAXES'),
  Load: numberOf('LOAD'),
  Penalty: numberOf('PENALTY'),
  Withholding: numberOf('WITHHOLDING'),
  'State withholding': numberOf('STATEWITHHOLDING'),
  'Accrued interest': numberOf('ACCRDINT'),
  Total: numberOf('TOTAL', 'TRNAMT', 'AMOUNT'),
  // `ORIGCURRENCY` is the currency before a conversion.
  Currency: ({ record: { texts }, statement }) => texts.get('CURRENCY/CURSYM') ?? statement.currency,
  'Shares per contract': numberOf('SHPERCTRCT'),
  'New units': numberOf('NEWUNITS'),
  'Old units': numberOf('OLDUNITS'),
  Numerator: numberOf('NUMERATOR'),
  Denominator: numberOf('DENOMINATOR'),
  'Fraction cash': numberOf('FRACCASH'),
  Exempt: textOf('TAXEXEMPT'),
  'Average cost': numberOf('AVGCOSTBASIS'),
  'Purchase date': ({ record: { texts } }) => formatTime(texts.get('DTPURCHASE') ?? '').slice(0, dayLength),
  Memo: ({ record: { texts } }) => [...new Set([texts.get('NAME') ?? '', texts.get('MEMO') ?? ''])].join(' ').trim(),
};

/** Elements that show the kind of a transaction or position. */
const details = 'BUYTYPE SELLTYPE OPTBUYTYPE OPTSELLTYPE OPTACTION INCOMETYPE TFERACTION TRNTYPE POSTYPE'.split(' ');

function toCells(record: OfxRecord, securities: ReadonlyMap<string, Security>, statement: OfxStatement): string[] {
  const row = { record, security: securities.get(id(record.texts)), statement };
  return Object.values(columns).map((read) => read(row));
}

function id(texts: ReadonlyMap<string, string>): string {
  return texts.get('UNIQUEID') ?? '';
}

function find(texts: ReadonlyMap<string, string>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = texts.get(name);
    if (text !== undefined) return text;
  }
  return undefined;
}

function textOf(...names: string[]) {
  return ({ record }: Pick<OfxRow, 'record'>): string => find(record.texts, names) ?? '';
}

function numberOf(...names: string[]) {
  return ({ record }: OfxRow): string => plain(find(record.texts, names) ?? '');
}

/** Returns a number without a plus sign and padding. OFX allows a decimal comma, and no thousands separators. */
function plain(number: string): string {
  const [, minus, whole = '', decimals = ''] = /^([+-]?)0*(\d+?)(?:[.,](\d*))?$/.exec(number) ?? [];
  if (minus === undefined) return number;
  const fraction = decimals.replace(/0+$/, '').padEnd(decimals === '' ? 0 : Math.min(2, decimals.length), '0');
  return `${minus === '-' ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * Returns `20150225093105.000[-5:EST]` as `2015-02-25 09:31:05-05:00`. Times without an offset are UTC. Midnight, noon,
 * the close of the exchange and the last second stand for a day without a time, in any zone. Returns other texts
 * unchanged.
 */
function formatTime(text: string): string {
  const match = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?(?:\.(\d{1,6}))?(?:\[([^\]]*)\])?$/.exec(text.trim());
  if (match === null) return text;
  const [, year, month, day, hour, minute, second = '00', fraction = '', zone = ''] = match;
  const date = `${year}-${month}-${day}`;
  const clock = `${hour}:${minute}:${second}`;
  if (hour === undefined || dayClocks.has(clock)) return date;
  const offset = formatOffset(zone);
  return offset === undefined ? text : `${date} ${clock}${/[1-9]/.test(fraction) ? `.${fraction}` : ''}${offset}`;
}

const dayLength = '2024-01-31'.length;

const dayClocks: ReadonlySet<string> = new Set(['00:00:00', '12:00:00', '16:00:00', '23:59:59']);

/** Returns `-5:EST` or `5.5` as `-05:00` and `+05:30`. Some brokers leave out the hours: `-:EST`. */
function formatOffset(zone: string): string | undefined {
  const [, sign = '', hours = '', parts = '', name = ''] =
    /^([+-]?)(\d{0,2})(?:\.(\d{1,2}))?(?::([A-Za-z]{2,5}))?$/.exec(zone.trim()) ?? [];
  if (hours === '') return zone.trim() === '' ? 'Z' : name === '' ? undefined : ` ${name.toUpperCase()}`;
  const minutes = { '': '00', '0': '00', '00': '00', '5': '30', '50': '30', '30': '30', '75': '45', '25': '15' }[parts];
  return minutes === undefined ? undefined : `${sign === '-' ? '-' : '+'}${hours.padStart(2, '0')}:${minutes}`;
}

function toLine(cells: readonly string[]): string {
  return csvRecord(cells).replace('\r\n', '\n');
}

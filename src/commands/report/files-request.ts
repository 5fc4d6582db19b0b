import { defaultTimeZone, isTimeZone, statedTimeZone } from '../../base/day.ts';
import { type InformationReturn, type LotMethod, lotMethods } from '../../engine/model.ts';
import { isSuspected } from '../../engine/rules/questions/account-types.ts';
import { type StoredSettings, toClassRules } from '../../features/ledger/transactions/elections.ts';
import { type DateOrderCode, dateOrderCodes } from '../../formats/cells/times.ts';
import { type RowsSide, rowsSides } from '../../formats/format.ts';
import { CommandError } from '../command.ts';
import { notOneOf } from '../options.ts';
import { mergeFileBalances, readBalanceFile, underBookName } from './balances.ts';
import type { BooksOptions } from './books.ts';
import { readFiles } from './files.ts';
import type { FileHistory } from './history.ts';
import type { Messages } from './messages.ts';
import { pricesUnderBookNames, readPriceFile } from './prices.ts';
import { readMappingFile, readSettings } from './settings.ts';

type StatedForm = InformationReturn | 'none';

/** The files for the books and how they are read. */
export interface FilesRequest {
  readonly files: readonly string[];
  /** Overrides the settings. */
  readonly method: LotMethod | null;
  readonly timeZone: string;
  /** Whether the command sets the time zone. UTC is the default. */
  readonly isZoneStated: boolean;
  readonly source: string | null;
  readonly account: string | null;
  readonly mapping: string | null;
  readonly dateOrder: DateOrderCode | null;
  readonly side: RowsSide | null;
  readonly settings: string | null;
  /** The forms set by the command, by account. They override those in the settings. */
  readonly forms: ReadonlyMap<string, StatedForm>;
  readonly prices: string | null;
  readonly balances: string | null;
}

/** The options for these choices. Each has a value. */
export const filesOptions = [
  'method',
  'settings',
  'prices',
  'balances',
  'time-zone',
  'source',
  'mapping',
  'date-order',
  'side',
  'account',
  'form',
] as const;

type FilesOption = (typeof filesOptions)[number];

export function readFilesRequest(files: readonly string[], options: ReadonlyMap<string, string>): FilesRequest {
  const getOption = (name: FilesOption): string | null => options.get(name) ?? null;
  const method = getOption('method')?.toUpperCase() ?? null;
  if (method !== null && !isLotMethod(method)) throw notOneOf('method', lotMethods);
  const statedZone = getOption('time-zone');
  const timeZone = statedZone === null ? defaultTimeZone : statedTimeZone(statedZone);
  if (!isTimeZone(timeZone)) throw new CommandError('--time-zone needs an IANA name, like America/New_York.');
  return {
    files,
    method,
    timeZone,
    isZoneStated: statedZone !== null,
    source: getOption('source'),
    account: getOption('account'),
    mapping: getOption('mapping'),
    dateOrder: readWordOption(options, 'date-order', dateOrderCodes),
    side: readWordOption(options, 'side', rowsSides),
    settings: getOption('settings'),
    forms: parseForms(getOption('form')),
    prices: getOption('prices'),
    balances: getOption('balances'),
  };
}

/** The data from the files and the other inputs, before a year is chosen. */
export interface RequestedFiles {
  readonly history: FileHistory;
  readonly stated: Pick<BooksOptions, 'settings' | 'timeZone' | 'prices' | 'balances' | 'sources' | 'rejected'>;
}

export async function loadRequestedFiles(request: FilesRequest, messages: Messages): Promise<RequestedFiles> {
  const elected = await readSettings(request.settings);
  const methodSettings = request.method === null ? elected : { ...elected, method: request.method };
  const settings = withForms(methodSettings, request.forms);
  const { known: prices, digest } = await readPriceFile(request.prices, messages);
  const { stated: statedBalances, digest: statedDigest } = await readBalanceFile(
    request.balances,
    request.timeZone,
    messages,
  );
  const mapping = await readMappingFile(request.mapping);
  const files = await readFiles({ ...request, mapping }, toClassRules(elected), messages);
  const { history, digests, rejected } = files;
  if (history.length === 0) throw new CommandError('The files contain no transactions.');
  refuseUnknownAccounts(request.forms, history.accounts);
  if (history.hasTimes && !request.isZoneStated) {
    messages.say(
      'Times are converted to dates in UTC. If you live in another time zone, add --time-zone, as in --time-zone America/New_York.',
    );
  }
  const sources = [...digests, ...[digest, statedDigest].filter((one) => one !== null)];
  const { assets } = settings;
  const balances = mergeFileBalances(files.balances, statedBalances).map((one) => underBookName(one, assets));
  const named = { prices: pricesUnderBookNames(prices, assets), balances };
  return { history, stated: { settings, timeZone: request.timeZone, ...named, sources, rejected } };
}

/** Parses `Schwab=1099-B,Kraken=1099-DA`. */
function parseForms(text: string | null): ReadonlyMap<string, StatedForm> {
  const forms = new Map<string, StatedForm>();
  if (text === null) return forms;
  let end = 0;
  for (const [all, account = '', form = ''] of text.matchAll(/([^=]+)=(1099-B|1099-DA|none)(?:,|$)/giy)) {
    forms.set(account, form.toLowerCase() === 'none' ? 'none' : (form.toUpperCase() as StatedForm));
    end += all.length;
  }
  if (end < text.length)
    throw new CommandError(
      "--form needs ACCOUNT=FORM, where FORM is 1099-B, 1099-DA or none, for example --form 'Schwab=1099-B,Ledger=none'.",
    );
  return forms;
}

function refuseUnknownAccounts(forms: ReadonlyMap<string, StatedForm>, accounts: ReadonlySet<string>): void {
  const unknown = [...forms.keys()].find((name) => !accounts.has(name));
  if (unknown === undefined) return;
  throw new CommandError(
    `--form names ${unknown}, but the files have the accounts ${[...accounts].sort().join(', ')}.`,
  );
}

/**
 * Adds the forms from `--form` to the settings. Refuses an account whose name suggests that it is tax-advantaged
 * because `--form` does not set its type.
 */
function withForms(settings: StoredSettings, forms: ReadonlyMap<string, StatedForm>): StoredSettings {
  if (forms.size === 0) return settings;
  const { accounts = {} } = settings;
  const stated = [...forms].map(([account, form]) => {
    if (isSuspected({ accounts }, account))
      throw new CommandError(`${account} may be tax-free: set its type and form in the --settings file.`);
    return [account, { type: 'taxable', ...accounts[account], form }] as const;
  });
  return { ...settings, accounts: { ...accounts, ...Object.fromEntries(stated) } };
}

function readWordOption<Word extends string>(
  options: ReadonlyMap<string, string>,
  name: FilesOption,
  known: readonly Word[],
): Word | null {
  const option = options.get(name);
  if (option === undefined) return null;
  const word = known.find((one) => one === option.toLowerCase());
  if (word === undefined) throw new CommandError(`--${name} must be one of ${known.join(', ')}.`);
  return word;
}

function isLotMethod(text: string): text is LotMethod {
  return lotMethods.some((method) => method === text);
}

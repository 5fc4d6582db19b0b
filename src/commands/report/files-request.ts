import { defaultTimeZone, isTimeZone, statedTimeZone } from '../../base/day.ts';
import { isObject } from '../../base/json.ts';
import { type InformationReturn, type LotMethod, lotMethods } from '../../engine/model.ts';
import { isSuspected } from '../../engine/rules/questions/account-types.ts';
import { type StoredSettings, toClassRules } from '../../features/ledger/transactions/elections.ts';
import { type DateOrderCode, dateOrderCodes } from '../../formats/cells/times.ts';
import { type RowsSide, rowsSides } from '../../formats/format.ts';
import type { Mapping } from '../../formats/mapping/mapping.ts';
import { readMapping } from '../../formats/mapping/mapping-json.ts';
import { CommandError } from '../command.ts';
import { readWord } from '../options.ts';
import { mergeFileBalances, readBalanceFile, underBookName } from './balances.ts';
import type { BooksOptions } from './books.ts';
import { readFiles } from './files.ts';
import type { FileHistory } from './history.ts';
import { type Messages, namedRefusal } from './messages.ts';
import { pricesUnderBookNames, readPriceFile } from './prices.ts';

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
  ...(['method', 'settings', 'prices', 'balances', 'time-zone', 'source', 'mapping'] as const),
  ...(['date-order', 'side', 'account', 'form'] as const),
] as const;

type FilesOption = (typeof filesOptions)[number];

export function readFilesRequest(files: readonly string[], options: ReadonlyMap<string, string>): FilesRequest {
  const getOption = (name: FilesOption): string | null => options.get(name) ?? null;
  const lower = (name: FilesOption): string | undefined => options.get(name)?.toLowerCase();
  const method = readWord(options, 'method', lotMethods, options.get('method')?.toUpperCase()) ?? null;
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
    dateOrder: readWord(options, 'date-order', dateOrderCodes, lower('date-order')) ?? null,
    side: readWord(options, 'side', rowsSides, lower('side')) ?? null,
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

/** Reads elections in the format of `GET /v1/tax/settings`, or only those that differ from the default. */
async function readSettings(path: string | null): Promise<StoredSettings> {
  if (path === null) return {};
  const settings = await readJson(path);
  if (!isObject(settings))
    throw new CommandError(`${path} contains no settings. Use a JSON object like {"method": "HIFO"}.`);
  // The validator is part of the service, so it is loaded only if there is something to validate.
  const { patchSettings } = await import('../../features/ledger/settings/patch.ts');
  try {
    return patchSettings({}, settings);
  } catch (error) {
    throw namedRefusal(path, error);
  }
}

/** Reads the meaning of each column, in the format of an import's `mapping`. */
async function readMappingFile(path: string | null): Promise<Mapping | null> {
  if (path === null) return null;
  const read = readMapping(await readJson(path));
  if ('mapping' in read) return read.mapping;
  const faults = read.faults.map(({ pointer, detail }) => `\n  ${pointer}: ${detail}`);
  throw new CommandError(`${path} is not a valid mapping:${faults.join('')}`);
}

async function readJson(path: string): Promise<unknown> {
  const text = await Bun.file(path)
    .text()
    .catch(() => {
      throw new CommandError(`There is no file ${path}.`);
    });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(
      `${path} is not valid JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`,
    );
  }
}

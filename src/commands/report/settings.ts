import { isObject } from '../../base/json.ts';
import { Refusal } from '../../base/refusal.ts';
import type { StoredSettings } from '../../features/ledger/transactions/elections.ts';
import type { Mapping } from '../../formats/mapping/mapping.ts';
import { readMapping } from '../../formats/mapping/mapping-json.ts';
import { CommandError } from '../command.ts';
import { refusalText } from './messages.ts';

/** Reads elections in the format of `GET /v1/tax/settings`, or only those that differ from the default. */
export async function readSettings(path: string | null): Promise<StoredSettings> {
  if (path === null) return {};
  const settings = await readJson(path);
  if (!isObject(settings))
    throw new CommandError(`${path} contains no settings. Use a JSON object like {"method": "HIFO"}.`);
  // The validator is part of the service, so it is loaded only if there is something to validate.
  const { patchSettings } = await import('../../features/ledger/settings/patch.ts');
  try {
    return patchSettings({}, settings);
  } catch (error) {
    if (error instanceof Refusal) throw new CommandError(`${path}: ${refusalText(error)}`);
    throw error;
  }
}

/** Reads the meaning of each column, in the format of an import's `mapping`. */
export async function readMappingFile(path: string | null): Promise<Mapping | null> {
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

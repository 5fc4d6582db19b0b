import { CommandError } from './command.ts';
import { type CommandName, formatUsage, listOptionNames } from './command-table.ts';

export interface Words {
  /** The arguments without a name, in order: files, stores, verbs. */
  readonly words: readonly string[];
  readonly options: ReadonlyMap<string, string>;
}

/** Parses the arguments of a command in the table. More than `wordsMax` words are an error. */
export function readOptions(name: CommandName, args: readonly string[], wordsMax: number): Words {
  const read = splitWords(args, listOptionNames(name), formatUsage(name));
  if (read.words.length > wordsMax) throw usageError(name);
  return read;
}

export function usageError(name: CommandName): CommandError {
  return new CommandError(formatUsage(name).trimEnd());
}

/** Reads an option whose value must be in a list. `value` replaces the value as written. */
export function readWord<Word extends string>(
  options: ReadonlyMap<string, string>,
  name: string,
  words: readonly Word[],
  value = options.get(name),
): Word | undefined {
  const word = words.find((one) => one === value);
  if (value !== undefined && word === undefined)
    throw new CommandError(`--${name} must be one of ${words.join(', ')}.`);
  return word;
}

export function readWholeNumber(options: ReadonlyMap<string, string>, name: string): number | undefined {
  const value = options.get(name);
  if (value === undefined) return undefined;
  if (!/^[1-9]\d{0,6}$/.test(value)) throw new CommandError(`--${name} needs a whole number of 1 or more.`);
  return Number(value);
}

/** Parses `--name value` and `--name=value`, or `--flag`. After `--`, every argument is a word, and so is `-`. */
export function splitWords(
  args: readonly string[],
  known: { readonly values: Iterable<string>; readonly flags: Iterable<string> },
  usage: string,
): Words {
  const [values, flags] = [new Set(known.values), new Set(known.flags)];
  const words: string[] = [];
  const options = new Map<string, string>();
  const rest = [...args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      words.push(...rest.splice(0));
    } else if (!word.startsWith('--')) {
      words.push(word);
    } else {
      const [name = '', given] = word.slice(2).split(/=(.*)/s);
      if (!values.has(name) && !flags.has(name)) throw new CommandError(`There is no option --${name}.\n\n${usage}`);
      const value = flags.has(name) && given === undefined ? 'yes' : (given ?? rest.shift());
      if (value === undefined || value === '') throw new CommandError(`--${name} wants a value.`);
      if (options.has(name)) throw new CommandError(`--${name} came twice.`);
      options.set(name, value);
    }
  }
  return { words, options };
}

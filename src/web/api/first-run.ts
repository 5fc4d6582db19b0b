import { signal } from '@preact/signals';
import type { CoveredDays } from '../format/covered.ts';
import { useFormats, useImports } from './status.ts';
import { getPerson } from './tax-year.ts';
import type { ImportedFile } from './upload-request.ts';

/** A place where the person traded: the source of a file format, or `otherSource`. */
export interface Source {
  readonly id: string;
  readonly label: string;
}

/** Stands for every place that has no file format of its own. */
export const otherSource: Source = { id: 'other', label: 'Somewhere else' };

export interface ChosenSource extends Source {
  readonly hasFiles: boolean;
  /** The days in its files. Null without dated rows. */
  readonly covered: CoveredDays | null;
}

/** How far a person is with the first steps. */
interface FirstRun {
  /** The step to resume at, or null after the last one. */
  readonly step: number | null;
  readonly sources: readonly Source[];
}

/** Returns the first steps in the open books, or null if they were never shown. */
export const getFirstRun = (): FirstRun | null => firstRuns.value[getPerson()] ?? null;

/** Remembers the first steps in the open books, in this browser only, because no result depends on them. */
export function saveFirstRun(change: Partial<FirstRun>): void {
  const before = getFirstRun() ?? { step: 1, sources: [] };
  firstRuns.value = { ...firstRuns.peek(), [getPerson()]: { ...before, ...change } };
  localStorage.setItem(storedName, JSON.stringify(firstRuns.peek()));
}

/** Returns the sources that the user chose for the open books, and which of them have files. */
export function useChosenSources(): readonly ChosenSource[] {
  const sources = getFirstRun()?.sources ?? [];
  const formats = useFormats().data?.data ?? [];
  const imports = useImports().data;
  const completed = imports?.data.filter(({ status }) => status === 'completed') ?? [];
  const sourceOf = new Map(formats.map(({ id, source }) => [id, source]));
  const filesOf = Map.groupBy(completed, (file) => findSource(file, sources, sourceOf.get(file.format ?? '')));
  return sources.map((source) => {
    const files = filesOf.get(source.id) ?? [];
    const days = files
      .flatMap(({ firstDate, lastDate }) => [firstDate, lastDate])
      .filter((date) => date !== null)
      .toSorted();
    const [first, last] = [days[0], days.at(-1)];
    return {
      ...source,
      hasFiles: files.length > 0,
      covered: first === undefined || last === undefined ? null : { first, last },
    };
  });
}

/** The source of Lotbook CSV, which people fill in from anywhere. */
const lotbookSource = 'Lotbook';

/** Returns the id of the source of a file: that of its format, or else the chosen one that its account names. */
function findSource({ accounts }: ImportedFile, sources: readonly Source[], formatSource?: string): string {
  const names = accounts.map(({ account }) => ` ${account.toLowerCase()} `);
  const ofFormat = sources.find(({ id }) => id === formatSource);
  const named = sources.find(({ id }) => names.some((name) => name.includes(` ${id.toLowerCase()} `)));
  return (
    (ofFormat ?? named)?.id ??
    (formatSource === undefined || formatSource === lotbookSource ? otherSource.id : formatSource)
  );
}

const storedName = 'firstRuns';
const firstRuns = signal<Readonly<Record<string, FirstRun>>>(JSON.parse(localStorage.getItem(storedName) ?? '{}'));

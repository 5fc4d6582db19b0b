import { signal } from '@preact/signals';
import { now } from '../format/dates.ts';
import { api, useApi } from './api.ts';
import { clientId, search, yearInUrl } from './page-url.ts';
import { account } from './session.ts';

/** The years with activity, oldest first. */
export function useYears() {
  return useApi('years', () => api.tax.years.get({ query: { limit: 1000 } }));
}

/** Returns the tax year of every page, or null while it is unknown. Without any activity, it is the last calendar year. */
export function useTaxYear(): number | null {
  const { data, problem } = useYears();
  const known = useKnownYear();
  return known ?? (data === undefined && problem === null ? null : thisYear() - 1);
}

/** Returns the chosen year or the newest with activity. Null if there is neither. */
export function useKnownYear(): number | null {
  const years = useYears().data?.data ?? [];
  return chosenYear() ?? years.at(-1)?.year ?? null;
}

/** Returns the year in the URL, or the one chosen last for these books. */
export const chosenYear = (): number | null => yearInUrl.value ?? chosenYears.value[getPerson()] ?? null;

/** Returns the years to choose from, newest first: the last seven, and all others with activity. */
export function useYearChoices(): readonly number[] {
  const active = (useYears().data?.data ?? []).map(({ year }) => year);
  const shown = useTaxYear();
  const recent = Array.from({ length: 7 }, (_, back) => thisYear() - back);
  return [...new Set([...recent, ...active, ...(shown === null ? [] : [shown])])].sort((a, b) => b - a);
}

/** Remembers the chosen year for the open books, also for later visits. The caller changes the URL. */
export function rememberYear(year: number): void {
  chosenYears.value = { ...chosenYears.peek(), [getPerson()]: year };
  localStorage.setItem(storedName, JSON.stringify(chosenYears.peek()));
}

/** Returns the year that a list is limited to, null for all years, or undefined while the year is unknown. */
export function useListedYear(): number | null | undefined {
  const year = useTaxYear();
  return showsAllYears() ? null : (year ?? undefined);
}

/** Returns whether the URL asks for all years. Named transactions and the rows of a file can be in any year. */
function showsAllYears(): boolean {
  const address = new URLSearchParams(search.value);
  return address.get('years') === 'all' || namesRows();
}

/** Returns whether the URL names the rows to list, or their file. */
export function namesRows(): boolean {
  const address = new URLSearchParams(search.value);
  return ['ids', 'importId'].some((name) => address.get(name));
}

/** The client whose books are open, or the user. */
export const getPerson = (): string => clientId.value ?? account.value?.id ?? '';

const storedName = 'taxYears';
const chosenYears = signal<Readonly<Record<string, number>>>(JSON.parse(localStorage.getItem(storedName) ?? '{}'));

export const thisYear = (): number => new Date(now()).getFullYear();

import { useLocation } from 'preact-iso';
import { api, unwrapResponse } from '../api/api.ts';
import { useResource } from '../api/resource.ts';

/** The years with activity, newest first. */
export function useYears() {
  return useResource('years', () => unwrapResponse(api.tax.years.get()));
}

/**
 * Returns the year in the URL, or the newest one with activity. Returns null while the year is unknown or if there is
 * none.
 */
export function useChosenYear(): number | null {
  const { query } = useLocation();
  const { data } = useYears();
  if (/^\d{4}$/.test(query.year ?? '')) return Number(query.year);
  const years = (data?.data ?? []).map(({ year }) => year);
  return years.length === 0 ? null : Math.max(...years);
}

/** Switches between years. `hrefOf` returns a year's page. */
export function YearSwitch({ year, hrefOf }: { readonly year: number; readonly hrefOf: (year: number) => string }) {
  const { route } = useLocation();
  const { data } = useYears();
  const years = [...new Set([year, ...(data?.data ?? []).map((each) => each.year)])].sort((a, b) => b - a);
  return (
    <label class="year-switch">
      <span class="visually-hidden">Tax year</span>
      <select value={year} onChange={(event) => route(hrefOf(Number(event.currentTarget.value)))}>
        {years.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}

import { useLocation } from 'preact-iso';
import { rememberYear, useTaxYear, useYearChoices } from '../api/tax-year.ts';
import { buildYearAddress } from './same-page.ts';

/** The tax year, which every page follows. */
export function YearSwitch() {
  const { path, route } = useLocation();
  const year = useTaxYear();
  const choices = useYearChoices();
  const choose = (chosen: number): void => {
    rememberYear(chosen);
    route(buildYearAddress(path, chosen));
  };
  return (
    <select
      class="year-switch"
      aria-label="Tax year"
      value={year ?? ''}
      onChange={(event) => choose(Number(event.currentTarget.value))}
    >
      {choices.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  );
}

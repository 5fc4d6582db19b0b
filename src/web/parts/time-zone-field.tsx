import { useId } from 'preact/hooks';

interface TimeZoneFieldProps {
  /** Empty: none is stated. */
  readonly value: string;
  readonly onInput: (zone: string) => void;
  readonly problem?: string | undefined;
  readonly label?: string;
}

/** The zone in which an instant becomes a taxable date. */
export function TimeZoneField({ value, onInput, problem, label = 'Time zone' }: TimeZoneFieldProps) {
  const id = useId();
  const zones = [...new Set(['UTC', ...(value === '' ? [] : [value]), ...Intl.supportedValuesOf('timeZone')])];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={(event) => onInput(event.currentTarget.value)}
        aria-describedby={`${id}-hint`}
      >
        {value === '' && <option value="">Not stated: times are read in UTC</option>}
        {zones.map((zone) => (
          <option key={zone} value={zone}>
            {zone.replaceAll('_', ' ')}
          </option>
        ))}
      </select>
      <p id={`${id}-hint`} class={problem === undefined ? 'fine' : 'fine loss'}>
        {problem ?? 'A sale late on December 31 falls into the year that it has in this zone.'}
      </p>
    </div>
  );
}

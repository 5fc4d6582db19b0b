import { useId } from 'preact/hooks';

interface TimeZoneFieldProps {
  readonly value: string;
  readonly onInput: (zone: string) => void;
  readonly problem?: string | undefined;
}

/** The zone in which an instant becomes a taxable date. */
export function TimeZoneField({ value, onInput, problem }: TimeZoneFieldProps) {
  const id = useId();
  const zones = [...new Set(['UTC', value, ...Intl.supportedValuesOf('timeZone')])];
  return (
    <div class="field">
      <label for={id}>Time zone</label>
      <select
        id={id}
        value={value}
        onChange={(event) => onInput(event.currentTarget.value)}
        aria-describedby={`${id}-hint`}
      >
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

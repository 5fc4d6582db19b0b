import { useId } from 'preact/hooks';
import { Hint } from './field.tsx';

interface TimeZoneFieldProps {
  /** Empty if no zone is set. */
  readonly value: string;
  readonly onInput: (zone: string) => void;
  readonly problem?: string | undefined;
  readonly label?: string;
}

/** The time zone that converts an instant to a tax date. */
export function TimeZoneField({ value, onInput, problem, label = 'Time zone' }: TimeZoneFieldProps) {
  const id = useId();
  const others = new Set(['UTC', ...(value === '' ? [] : [value]), ...Intl.supportedValuesOf('timeZone')]);
  for (const zone of usZones) others.delete(zone);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={(event) => onInput(event.currentTarget.value)}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-hint`}
      >
        {value === '' && <option value="">Not set (times are read in UTC)</option>}
        <Zones label="United States" zones={usZones} />
        <Zones label="All others" zones={[...others]} />
      </select>
      <Hint {...{ id, problem }} hint="Decides which tax year late-night December 31 trades belong to." />
    </div>
  );
}

const usZones: readonly string[] = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Anchorage',
  'Pacific/Honolulu',
  'America/Puerto_Rico',
];

function Zones({ label, zones }: { readonly label: string; readonly zones: readonly string[] }) {
  return (
    <optgroup label={label}>
      {zones.map((zone) => (
        <option key={zone} value={zone}>
          {zone.replaceAll('_', ' ')}
        </option>
      ))}
    </optgroup>
  );
}

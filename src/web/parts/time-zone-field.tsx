import { Choice } from './field.tsx';

interface TimeZoneFieldProps {
  /** Empty if no zone is set. */
  readonly value: string;
  readonly onInput: (zone: string) => void;
  readonly problem?: string | undefined;
  readonly label?: string;
}

/** The time zone that converts an instant to a tax date. */
export function TimeZoneField({ value, onInput, problem, label = 'Time zone' }: TimeZoneFieldProps) {
  const all = new Set([...usZones, 'UTC', ...(value === '' ? [] : [value]), ...Intl.supportedValuesOf('timeZone')]);
  const zones = [...all].map((zone) => ({
    value: zone,
    label: zone.replaceAll('_', ' '),
    group: usZones.includes(zone) ? 'United States' : 'All others',
  }));
  return (
    <Choice
      label={label}
      value={value}
      options={[...(value === '' ? [{ value: '', label: 'Not set (times are read in UTC)' }] : []), ...zones]}
      onChange={onInput}
      hint="Decides which tax year late-night December 31 trades belong to."
      problem={problem}
    />
  );
}

const usZones: readonly string[] = [
  ...['America/New_York', 'America/Chicago', 'America/Denver', 'America/Phoenix', 'America/Los_Angeles'],
  ...['America/Anchorage', 'Pacific/Honolulu', 'America/Puerto_Rico'],
];

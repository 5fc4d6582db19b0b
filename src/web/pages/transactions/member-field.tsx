import { dayIn, formatDay, formatInstant, type Instant, parseWrittenDay, toInstant } from '../../../base/day.ts';
import { assetClasses, boxes } from '../../../engine/statement-values.ts';
import type { LotbookMember } from '../../../formats/lotbook-columns.ts';
import { useBooksZone } from '../../api/books.ts';
import { useAssets } from '../../api/status.ts';
import { kindOf, memberNames } from '../../format/member-names.ts';
import { classNames } from '../../format/methods.ts';
import { formatSentenceCase, typeOptions } from '../../format/words.ts';
import { AccountField } from '../../parts/account-field.tsx';
import { Choice, Field } from '../../parts/field.tsx';

interface MemberFieldProps {
  readonly member: LotbookMember;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly isRequired?: boolean;
  readonly problem?: string | undefined;
  /** Replace the usual label and hint. */
  readonly label?: string;
  readonly hint?: string;
}

/** The input for a field of a transaction. */
export function MemberField({ member, value, onInput, isRequired = false, problem, ...own }: MemberFieldProps) {
  const known = useKnownNames();
  const { label = memberNames[member].label, hint = own.label === undefined ? memberNames[member].hint : undefined } =
    own;
  if (member === 'date') return <WhenField value={value} onInput={onInput} problem={problem} />;
  const kind = kindOf(member);
  const stated = choices[kind]?.map((each) => ({ value: each, label: formatChoiceLabel(kind, each) }));
  const options = member === 'type' ? typeOptions : stated && [{ value: '', label: 'Not set' }, ...stated];
  if (options !== undefined)
    return <Choice label={label} value={value} options={options} onChange={onInput} hint={problem ?? hint} />;
  if (member === 'account' || member === 'toAccount')
    return <AccountField label={label} value={value} onInput={onInput} hint={hint} problem={problem} />;
  const isAsset = kind === 'name' && member !== 'externalId';
  return (
    <Field
      label={label}
      value={value}
      onInput={onInput}
      type={kind === 'money' || kind === 'quantity' ? kind : kind === 'day' && !/^[A-Z]/.test(value) ? 'date' : 'text'}
      isRequired={isRequired}
      hint={hint}
      problem={problem}
      suggestions={isAsset ? known.assets : undefined}
    />
  );
}

function formatChoiceLabel(kind: ReturnType<typeof kindOf>, value: string): string {
  if (kind === 'box') return value;
  const assetClass = kind === 'class' ? assetClasses.find((each) => each === value) : undefined;
  if (assetClass !== undefined) return classNames[assetClass];
  return formatSentenceCase(value);
}

const choices: { readonly [Kind in ReturnType<typeof kindOf>]?: readonly string[] } = {
  class: assetClasses,
  box: boxes,
  term: ['short', 'long'],
  right: ['call', 'put'],
};

/** A date with an optional time, in the time zone of the books. */
function WhenField({ value, onInput, problem }: Pick<MemberFieldProps, 'value' | 'onInput' | 'problem'>) {
  const timeZone = useBooksZone();
  const { date, time } = toWallClock(value, timeZone);
  return (
    <>
      <Field
        label="Date"
        type="date"
        isRequired
        value={date}
        onInput={(newDate) => onInput(fromWallClock({ date: newDate, time }, timeZone))}
        problem={problem}
      />
      <Field
        label="Time"
        type="time"
        value={time}
        onInput={(newTime) => onInput(fromWallClock({ date, time: newTime }, timeZone))}
        hint={`Optional. ${timeZone.replaceAll('_', ' ')} time.`}
      />
    </>
  );
}

/** Suggestions for assets and accounts. Long lists are truncated, and any name can be typed. */
export function useKnownNames(): { readonly assets: readonly string[]; readonly accounts: readonly string[] } {
  const assets = useAssets().data?.data ?? [];
  return {
    assets: sortNames(assets.map(({ asset }) => asset)),
    accounts: sortNames(assets.flatMap(({ accounts }) => accounts)),
  };
}

function sortNames(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => name !== '').sort((a, b) => a.localeCompare(b));
}

/** A date and an optional time in some time zone: `2025-02-03` and `14:30:00`. */
interface WallClock {
  readonly date: string;
  readonly time: string;
}

/** Converts the date of a row, which is a day or an instant in UTC. */
function toWallClock(value: string, timeZone: string): WallClock {
  if (!value.includes('T')) return { date: value, time: '' };
  const instant = (Date.parse(value) * 1000) as Instant;
  const clock = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', timeStyle: 'medium' });
  return { date: formatDay(dayIn(instant, timeZone)), time: clock.format(Date.parse(value)) };
}

/** Converts a date and a time to the date of a row. */
function fromWallClock({ date, time }: WallClock, timeZone: string): string {
  const day = parseWrittenDay(date);
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  if (day === undefined || time === '') return date;
  return formatInstant(toInstant(day, ((hours * 60 + minutes) * 60 + seconds) * 1_000_000, timeZone));
}

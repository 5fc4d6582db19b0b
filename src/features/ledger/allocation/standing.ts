/**
 * The status of an allocation under the safe harbor of Rev. Proc. 2024-28, based on the date that the taxpayer states.
 */
export interface AllocationStanding {
  /** True if the allocation was made in time, based on the taxpayer's statement. */
  readonly safeHarbor: boolean;
  readonly booksMadeOn: string | null;
  readonly detail: string;
}

export interface StandingQuestion {
  readonly method: 'rule' | 'unit';
  /** The date when the taxpayer's own books allocated the units or described the rule. Null if not stated. */
  readonly booksMadeOn: string | null;
  /** The date when the allocation was finalized in Lotbook. */
  readonly frozenOn: string;
  /** The day of the first disposal or transfer of each asset after 2024. Null if there is none. */
  readonly firstUses: readonly (string | null)[];
}

/** Due dates of the 2025 return, without and with an extension, as ISO dates. */
const due = '2026-04-15';
const dueExtended = '2026-10-15';
const ruleWrittenBefore = '2025-01-01';

/**
 * Determines the status. Specific units had to be allocated before the earlier of their first use in 2025 and the due
 * date of the 2025 return (section 5.02(4)). A rule had to be described in the books before 2025, and carried out
 * before the later of these two dates (section 5.02(5)).
 */
export function determineStanding(question: StandingQuestion): AllocationStanding {
  const { method, booksMadeOn, frozenOn } = question;
  const used = question.firstUses.flatMap((day) => (day === null ? [] : [day])).sort();
  if (booksMadeOn !== null && booksMadeOn <= frozenOn) {
    const inTime = method === 'unit' ? unitsInTime(booksMadeOn, used) : ruleInTime(booksMadeOn, frozenOn, used);
    if (inTime) {
      const extended = lastDayOf(method, question) > due ? ' The 2025 return must have been extended.' : '';
      const made = method === 'unit' ? 'allocated the units' : 'described the rule';
      return toStanding(
        true,
        booksMadeOn,
        `As stated, the books ${made} on ${booksMadeOn}, in time (${sectionOf(method)}).${extended}`,
      );
    }
  }
  const hint =
    booksMadeOn === null
      ? ' If your own books did so in time, enter the date as booksMadeOn.'
      : ` The books of ${booksMadeOn} were not in time.`;
  const late = `The allocation finalized on ${frozenOn} is a record and not the safe harbor of section 5.01: ${describeDeadline(method, used)}`;
  return toStanding(false, booksMadeOn, `${late}${hint}`);
}

function unitsInTime(made: string, used: readonly string[]): boolean {
  return made < dueExtended && made < (used[0] ?? dueExtended);
}

function ruleInTime(written: string, frozenOn: string, used: readonly string[]): boolean {
  const last = used[0] ?? dueExtended;
  return written < ruleWrittenBefore && frozenOn < (last > dueExtended ? last : dueExtended);
}

/** Returns the day when the allocation itself was made. */
function lastDayOf(method: 'rule' | 'unit', { booksMadeOn, frozenOn }: StandingQuestion): string {
  return method === 'unit' ? (booksMadeOn ?? frozenOn) : frozenOn;
}

function describeDeadline(method: 'rule' | 'unit', used: readonly string[]): string {
  if (method === 'rule') return 'a rule had to be described in the books before January 1, 2025 (section 5.02(5)(a)).';
  const use = used[0] === undefined ? '' : ` These units were first used on ${used[0]}.`;
  return `units had to be allocated before their first use after 2024, and before the due date of the 2025 return (section 5.02(4)).${use}`;
}

function sectionOf(method: 'rule' | 'unit'): string {
  return method === 'unit' ? 'section 5.02(4)' : 'section 5.02(5)';
}

function toStanding(safeHarbor: boolean, booksMadeOn: string | null, detail: string): AllocationStanding {
  return { safeHarbor, booksMadeOn, detail };
}

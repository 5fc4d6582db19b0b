import { type Cents, zeroCents } from '../../base/decimal.ts';
import type { Disposal, Transaction } from '../../engine/model.ts';
import type { MatchBy } from './matches.ts';
import type { DeskFigures, DeskPart } from './parts.ts';

/**
 * The kinds of differences between a form row and Lotbook's lines. Each has the code for Form 8949, column (f), that
 * explains it, and whether the taxpayer must decide which side is right. An entry gets the first kind that applies.
 */
export const deskKinds = {
  matched: { code: '', asks: false },
  /** Only the form has sales for this account. The line is the same as on the form. */
  as_form: { code: '', asks: false },
  replaced: { code: '', asks: false },
  /** A row of a broker's supplement, whose sale is on a form row. */
  supplement: { code: '', asks: false },
  /** The form's basis leaves out wages that a supplement states. */
  wages: { code: 'B', asks: false },
  /** The sale has no Form 8949 line, because it is in an IRA or a section 1256 contract. */
  no_line: { code: '', asks: false },
  proceeds: { code: '', asks: true },
  gross_proceeds: { code: 'E', asks: false },
  basis: { code: 'B', asks: true },
  /** The form shows no basis, which is allowed for noncovered assets. Column (e) shows Lotbook's basis. */
  basis_not_shown: { code: '', asks: false },
  term: { code: 'T', asks: false },
  wash: { code: 'W', asks: false },
  more_units: { code: '', asks: true },
  fewer_units: { code: '', asks: true },
  date: { code: '', asks: true },
  elsewhere: { code: '', asks: true },
  /** The form uses a name for the asset that does not appear in the history. */
  name: { code: '', asks: true },
  twice: { code: '', asks: true },
  not_in_books: { code: '', asks: true },
  total: { code: '', asks: true },
  not_on_form: { code: '', asks: true },
  /** The sale does not require a form: boxes C, F, I and L. */
  not_expected: { code: '', asks: false },
} as const satisfies Readonly<Record<string, { readonly code: string; readonly asks: boolean }>>;

export type DeskKind = keyof typeof deskKinds;

export interface DeskFinding {
  readonly kind: DeskKind;
  /** Letters for column (f) that explain the difference. */
  readonly code: string;
  /** The difference in dollars. */
  readonly value: Cents;
  readonly asks: boolean;
  readonly reason: string;
}

interface DeskQuestion {
  readonly by: MatchBy;
  readonly row?: Transaction;
  readonly parts: readonly DeskPart[];
  readonly shown: DeskFigures | null;
  readonly ours: DeskFigures | null;
  /** Whether the form's asset name was matched to the history by a guess. */
  readonly named?: boolean;
  /** The reason why the sale does not require a form. */
  readonly excepted?: string | undefined;
}

/** Differences up to a dollar are rounding. */
const roundingMax = 100n;

/** The reason for each kind that always has the same one. */
const reasons: Readonly<Partial<Record<DeskKind, string>>> = {
  as_form: 'The account has no sales of its own. The line is reported as the form shows it.',
  replaced: 'A corrected form replaces this row.',
  supplement: 'It explains the basis of a form row of the same sale, which counts.',
  wages: 'The form leaves the wages out of the basis. The supplement states them.',
  no_line: 'It has no line on Form 8949, because it is in an IRA or on Form 6781.',
  proceeds: 'The proceeds differ, and no fee of the sale explains it.',
  gross_proceeds: 'The form shows proceeds before the fee.',
  basis: 'The basis on the form is not the basis of the lots sold.',
  basis_not_shown: 'The form shows no basis. Column (e) has ours.',
  term: 'The form shows a different term than the holding period of the lots.',
  wash: 'The form shows a different wash sale loss than the law disallows across all accounts.',
  more_units: 'The form shows more units than your transactions. The excess counts as a separate sale.',
  fewer_units: 'The form shows fewer units of this sale than your transactions.',
  date: 'The form dates this sale differently than your transactions. It counts once, on the day of the transactions.',
  elsewhere:
    'Your transactions include this sale in another account or year, under another name, or as a short sale that is still open. It counts once, in that account.',
  name: 'The form uses another name for it. Its units and proceeds match this sale, so it counts once.',
  twice: 'The forms show this sale twice. It counts once.',
  not_in_books: 'Your transactions do not include this sale.',
  not_on_form: 'The form of this account does not show this sale.',
};

export function classifyDeskEntry(question: DeskQuestion): DeskFinding {
  const { by, row, parts, shown, ours } = question;
  if (row === undefined || shown === null) return withoutRow(question);
  const { proceeds } = shown;
  switch (by) {
    case 'replaced':
      return finding(row.wages === null ? 'replaced' : 'supplement', zeroCents);
    case 'twice':
      return finding('twice', proceeds);
    case 'near':
      return finding('date', proceeds);
    case 'elsewhere':
      return finding('elsewhere', proceeds);
    case 'no line':
      return finding('no_line', zeroCents);
    case 'form':
      if (hasWages(parts)) return wagesFinding(shown, ours);
      return finding('not_in_books', proceeds, {
        reason: `${reasons.not_in_books} It is reported as the form shows it.`,
      });
    case 'form alone':
      return hasWages(parts) ? wagesFinding(shown, ours) : finding('as_form', zeroCents);
    case 'total':
      return totalFinding(shown, ours);
    default:
      return askAboutName(question, compareFigures(row, parts, shown, ours));
  }
}

/** Returns whether code B corrects a line that only a form reports, because a supplement states wages. */
function hasWages(parts: readonly DeskPart[]): boolean {
  return parts.some(({ line }) => line.code.includes('B'));
}

function wagesFinding(shown: DeskFigures, ours: DeskFigures | null): DeskFinding {
  return finding('wages', magnitude(shown.gain - (ours?.gain ?? 0n)));
}

/** Turns a guessed name into a question for the taxpayer, unless another difference already is one. */
function askAboutName({ named, shown }: DeskQuestion, other: DeskFinding): DeskFinding {
  if (named !== true || other.asks) return other;
  return finding('name', shown?.proceeds ?? zeroCents, { code: other.code });
}

function withoutRow({ by, ours, excepted }: DeskQuestion): DeskFinding {
  const value = ours?.proceeds ?? zeroCents;
  if (by === 'rest') return finding('fewer_units', value);
  if (excepted !== undefined) return finding('not_expected', zeroCents, { reason: excepted });
  return finding('not_on_form', value);
}

function totalFinding(shown: DeskFigures, ours: DeskFigures | null): DeskFinding {
  const difference = magnitude(shown.proceeds - (ours?.proceeds ?? 0n));
  const total = `total of ${ours?.count ?? 0} of our lines.`;
  if (difference <= roundingMax) return finding('matched', zeroCents, { reason: `The ${total}` });
  return finding('total', difference, { reason: `The total on the form differs from the ${total}` });
}

function compareFigures(
  row: Transaction,
  parts: readonly DeskPart[],
  shown: DeskFigures,
  ours: DeskFigures | null,
): DeskFinding {
  if (ours === null) return finding('not_in_books', shown.proceeds);
  const [excess, own] = [true, false].map((isOfRow) =>
    parts.filter(({ line }) => (line.disposal.saleId === row.id) === isOfRow),
  ) as [DeskPart[], DeskPart[]];
  if (own.reduce((sum, { units }) => sum + units, 0n) < (row.quantity ?? 0n))
    return finding('more_units', excess.reduce((sum, { proceeds }) => sum + proceeds, 0n) as Cents);
  const code = [...new Set(parts.flatMap(({ line }) => [...line.code]))].sort().join('');
  const [more, other] = [magnitude(shown.proceeds - ours.proceeds), magnitude(shown.basis - ours.basis)];
  if (more > roundingMax) return finding('proceeds', more, { code });
  const whole = magnitude(ours.gain - shown.gain);
  const byTerm = code.includes('T') ? finding('term', magnitude(ours.gain), { code }) : undefined;
  if (code.includes('E')) return finding('gross_proceeds', whole, { code });
  if (row.basis === null) return byTerm ?? finding('basis_not_shown', ours.basis, { code });
  if (code.includes('B') || other > roundingMax) return finding('basis', other > roundingMax ? other : whole, { code });
  if (byTerm !== undefined) return byTerm;
  const wash = magnitude(ours.adjustment - shown.adjustment);
  if (wash > roundingMax) return finding('wash', wash, { code });
  return finding('matched', zeroCents, { code, reason: matchedReason(row, parts) });
}

function matchedReason({ box }: Transaction, parts: readonly DeskPart[]): string {
  if (parts.length === 1) return 'One lot.';
  const combined = (box === 'G' || box === 'J') && parts.some(({ line }) => !isCovered(line.disposal));
  return `${parts.length} lots${combined ? ', covered and noncovered on one row (box 9 is not checked)' : ''}.`;
}

/**
 * Returns whether a digital asset is covered, which requires a purchase in 2026 or later (26 CFR
 * 1.6045-1(a)(15)(i)(J)).
 */
function isCovered({ acquired }: Disposal): boolean {
  return acquired >= coveredFrom;
}

/** 2026-01-01, in days since 1970. */
const coveredFrom = 20_454;

function finding(kind: DeskKind, value: Cents, more: Partial<Pick<DeskFinding, 'code' | 'reason'>> = {}): DeskFinding {
  const { code, asks } = deskKinds[kind];
  return { kind, code, value, asks, reason: reasons[kind] ?? '', ...more };
}

function magnitude(cents: bigint): Cents {
  return (cents < 0n ? -cents : cents) as Cents;
}

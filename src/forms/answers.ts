import { formatDayUs, parseDay } from '../base/day.ts';
import { formatDollars, parseMoney, roundToCents } from '../base/decimal.ts';
import { type IssueKind, issueKindTable } from '../engine/model.ts';
import type { ReportBooks, StoredAnswer } from './report.ts';

/** The number of kept items that warnings list one by one. The file of answers lists all of them. */
const keptMax = 20;

/** Returns a sentence for each item that the taxpayer kept as it is although the numbers may be off. */
export function keptItemTexts({ answers = [] }: Pick<ReportBooks, 'answers'>): string[] {
  const kept = answers.filter((answer) => isKept(answer) && answer.dollars !== 0n);
  const texts = kept.slice(0, keptMax).map((answer) => `Kept as is: ${describeKept(answer)}`);
  const more = kept.length - texts.length;
  return more === 0 ? texts : [...texts, `${more} more kept as is. The ZIP for your preparer lists them.`];
}

/** Returns all answers by subject, as plain text. */
export function answerLines({ answers = [], year }: Pick<ReportBooks, 'answers' | 'year'>): string[] {
  const sections = Map.groupBy(answers, sectionOf);
  return [
    `Answered by you, ${year}`,
    '',
    'These facts come from your answers in Lotbook and not from the imported files.',
    ...sectionNames.flatMap((name) => {
      const lines = (sections.get(name) ?? []).map((answer) => `- ${describeAnswer(answer)}`);
      return lines.length === 0 ? [] : ['', name, '', ...lines];
    }),
  ];
}

const sectionNames = [
  'Kept as is',
  'Costs entered by hand',
  'Values entered by hand',
  'Wash sale confirmations',
  'Other answers',
] as const;

function sectionOf(answer: StoredAnswer): (typeof sectionNames)[number] {
  if (isKept(answer)) return 'Kept as is';
  if (answer.issue === confirmedWindow) return 'Wash sale confirmations';
  if (answer.action === 'basis') return 'Costs entered by hand';
  return answer.action === 'value' ? 'Values entered by hand' : 'Other answers';
}

function isKept({ action, issue }: StoredAnswer): boolean {
  return action === 'accept' && !confirmedKinds.has(issue);
}

/** Accepting an open wash sale window confirms that nothing was bought. */
const confirmedWindow: IssueKind = 'wash_window_open';
/** Kinds whose acceptance states a fact, such as that a transfer went to the taxpayer's own wallet, and keeps no error. */
const confirmedKinds: ReadonlySet<IssueKind> = new Set<IssueKind>([
  ...[
    confirmedWindow,
    'transfer_unpaired',
    'option_expired',
    'same_security',
    'premium_unknown',
    'loss_event',
    'wages_unconfirmed',
  ],
] as const);

function describeKept(answer: StoredAnswer): string {
  const { dollars } = answer;
  const stake =
    dollars === null ? 'The amount at stake is not known.' : `The numbers may be off by ${formatDollars(dollars)}.`;
  return `${describeIssue(answer)}. ${dollars === 0n ? 'No dollars at stake.' : stake}${describeReason(answer)}`;
}

function describeAnswer(answer: StoredAnswer): string {
  if (isKept(answer)) return describeKept(answer);
  return `${describeIssue(answer)}: ${actionWords[answer.action](answer)}.${describeReason(answer)}`;
}

function describeIssue({ issue, asset, account, on }: StoredAnswer): string {
  const where = [asset, account].filter((name) => name !== '').join(' in ');
  return [formatDayUs(on), where, issueKindTable[issue].words].filter((text) => text !== '').join(', ');
}

const actionWords: Readonly<Record<StoredAnswer['action'], (answer: StoredAnswer) => string>> = {
  accept: ({ issue }) =>
    issue === confirmedWindow ? 'you confirmed that there was no purchase in the window' : 'confirmed',
  basis: (answer) => `cost ${describeAmount(answer.basis)}${describeUnits(answer)}`,
  value: (answer) => `value ${describeAmount(answer.amount)}${describeUnits(answer)}`,
  pair: () => 'matched with the other side of the transfer',
  class: ({ assetClass }) => `the asset class is ${assetClass ?? 'not set'}`,
  replace: () => 'replaced by the row of the later file',
  add: () => 'rows added',
};

function describeAmount(text: string | undefined): string {
  const amount = parseMoney(text ?? '');
  return amount === undefined ? 'not stated' : formatDollars(roundToCents(amount));
}

function describeUnits({ quantity, acquired }: StoredAnswer): string {
  const day = parseDay(acquired ?? '');
  return `${quantity === undefined ? '' : ` for ${quantity} units`}${day === undefined ? '' : `, acquired ${formatDayUs(day)}`}`;
}

function describeReason({ note }: StoredAnswer): string {
  return note === '' ? '' : ` Reason: ${note.replace(/\s+/g, ' ')}`;
}

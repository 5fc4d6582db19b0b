import type { AccountEvidence, Box, InformationReturn, Rules } from '../engine/model.ts';
import { formOfBox } from '../engine/rules/lines/box.ts';
import { isSuspected } from '../engine/rules/questions/account-types.ts';
import { formByName } from '../formats/information-returns.ts';
import type { ReportBooks } from './report.ts';

/** An account whose settings do not specify its form, so the boxes of its sales are assumed. */
export interface AssumedForm {
  readonly account: string;
  /** The boxes used by its lines in the year. */
  readonly boxes: readonly Box[];
  /** The form that is assumed for these lines. */
  readonly form: InformationReturn | 'none';
  /** The form that the account's rows or name suggest. Null if they suggest none. */
  readonly suggestedForm: InformationReturn | null;
  readonly because: SuggestionReason | null;
  /** Whether its name suggests a tax-advantaged account and its type is not set. */
  readonly mayBeTaxFree: boolean;
  /** Text for the taxpayer with the assumption, the reason, and how to confirm or change it. */
  readonly text: string;
}

/** The evidence for a form: lines from that form, the source of the rows, or the account's name. */
export const suggestionReasons = ['lines', 'source', 'name'] as const;
type SuggestionReason = (typeof suggestionReasons)[number];
export const suggestionMeanings =
  '`lines`: its rows include lines of that form. `source`: the export that its rows come from. `name`: a US broker or exchange has that name; this alone does not change the box of any sale.';

interface SuggestedForm {
  readonly suggestedForm: InformationReturn | null;
  readonly because: SuggestionReason | null;
}

/** Returns the accounts that have lines in the year but no form in their settings, sorted by name. */
export function assumedForms({ rules, summary }: Pick<ReportBooks, 'rules' | 'summary'>): AssumedForm[] {
  const unstated = summary.accountBoxes.filter(({ account }) => rules.accounts[account]?.form === undefined);
  return [...Map.groupBy(unstated, ({ account }) => account)].map(([account, own]) =>
    buildAssumedForm(
      account,
      own.map(({ box }) => box),
      rules,
    ),
  );
}

/** Returns the form suggested by an account's lines or source, or else by its name. */
export function suggestForm(account: string, rules: Pick<Rules, 'accounts' | 'evidence'>): SuggestedForm {
  const { lines, source }: AccountEvidence = rules.evidence?.[account] ?? {};
  if (lines !== undefined) return { suggestedForm: lines, because: 'lines' };
  if (source !== undefined) return { suggestedForm: source, because: 'source' };
  // If the account may be tax-advantaged, the user has to set its type first, because no Form 1099-B reports sales in
  // an IRA.
  const named = isSuspected(rules, account) ? null : formByName(account);
  return { suggestedForm: named, because: named === null ? null : 'name' };
}

/** Returns the sentences for the taxpayer. Accounts without a suggestion share one. */
export function assumedFormTexts(books: Pick<ReportBooks, 'rules' | 'summary'>): string[] {
  const assumed = assumedForms(books);
  const isPlain = ({ suggestedForm, mayBeTaxFree }: AssumedForm) => suggestedForm === null && !mayBeTaxFree;
  const plain = assumed.filter(isPlain);
  if (plain.length < 2) return assumed.map(({ text }) => text);
  const names = plain.map(({ account, boxes }) => `${account} (${joinBoxes(boxes)})`);
  return [
    ...assumed.filter((one) => !isPlain(one)).map(({ text }) => text),
    `The boxes of these accounts are assumed, because no form is set: ${names.join(', ')}. ${setStep}`,
  ];
}

/** Joins boxes to text: `C and F`. */
export function joinBoxes(boxes: readonly Box[]): string {
  return boxes.length < 2 ? boxes.join('') : `${boxes.slice(0, -1).join(', ')} and ${boxes.at(-1)}`;
}

function buildAssumedForm(account: string, boxes: readonly Box[], rules: Rules): AssumedForm {
  const { suggestedForm, because } = suggestForm(account, rules);
  const mayBeTaxFree = isSuspected(rules, account);
  const isAssumed = because !== null && because !== 'name' && boxes.some((box) => formOfBox(box) !== undefined);
  const form = isAssumed && suggestedForm !== null ? suggestedForm : 'none';
  const assumed = { account, boxes, form, suggestedForm, because, mayBeTaxFree } as const;
  const step = mayBeTaxFree ? 'Set its type and its form in the account settings.' : describeNextStep(assumed);
  return {
    ...assumed,
    text: `The boxes of ${account} are assumed (${joinBoxes(boxes)}): ${describeReason(assumed)} ${step}`,
  };
}

type Assumed = Omit<AssumedForm, 'text'>;

export const setStep = 'Set the form in the account settings, or "none" to confirm that no form was issued.';

function describeNextStep({ because }: Assumed): string {
  if (because === null || because === 'name') return setStep;
  return 'Confirm or change the form in the account settings.';
}

function describeReason({ form, suggestedForm, because }: Assumed): string {
  if (suggestedForm === null || because === null) return 'no form is set.';
  const sent = suggestedForm === '1099-DA' ? 'Form 1099-DA, for digital assets sold from 2025 on' : 'Form 1099-B';
  if (because === 'name') return `no form is set. A broker or exchange with this name usually sends ${sent}.`;
  const evidence =
    because === 'lines'
      ? `your records contain lines from Form ${suggestedForm}`
      : `its rows come from a source that sends Form ${suggestedForm}`;
  return form === 'none' ? `${evidence}, but no form is assumed for these sales.` : `${evidence}.`;
}

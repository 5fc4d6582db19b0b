import type { AccountEvidence, Box, InformationReturn, Rules } from '../engine/model.ts';
import { formOfBox } from '../engine/rules/lines/box.ts';
import { isSuspected } from '../engine/rules/questions/account-types.ts';
import { formByName } from '../formats/information-returns.ts';
import type { ReportBooks } from './report.ts';

/** An account whose settings do not state its form, so that the boxes of its sales rest on an assumption. */
export interface AssumedForm {
  readonly account: string;
  /** The boxes of its lines of the year. */
  readonly boxes: readonly Box[];
  /** The form that is assumed for these lines. */
  readonly form: InformationReturn | 'none';
  /** The form that its rows or its name suggest. Null if nothing does. */
  readonly suggestedForm: InformationReturn | null;
  readonly because: SuggestionReason | null;
  /** Whether its name says that it may be tax-free, while its type is not stated. */
  readonly mayBeTaxFree: boolean;
  /** For the taxpayer: what is assumed, why, and the step that confirms or changes it. */
  readonly text: string;
}

/** What suggests a form: lines of it among the rows, the source of the rows, or the name of the account. */
export const suggestionReasons = ['lines', 'source', 'name'] as const;
export type SuggestionReason = (typeof suggestionReasons)[number];
export const suggestionMeanings =
  '`lines`: lines of that form are among its rows. `source`: the export that its rows come from. `name`: a US broker or exchange has that name; this alone puts no sale into another box.';

interface SuggestedForm {
  readonly suggestedForm: InformationReturn | null;
  readonly because: SuggestionReason | null;
}

/** The accounts with lines of the year whose form is not stated, by name. */
export function assumedForms({ rules, summary }: Pick<ReportBooks, 'rules' | 'summary'>): AssumedForm[] {
  const unstated = summary.accountBoxes.filter(({ account }) => rules.accounts[account]?.form === undefined);
  return [...Map.groupBy(unstated, ({ account }) => account)].map(([account, own]) =>
    assumedFormOf(
      account,
      own.map(({ box }) => box),
      rules,
    ),
  );
}

/** The form that lines or the source of an account suggest, else the one that its name suggests. */
export function suggestForm(account: string, rules: Pick<Rules, 'accounts' | 'evidence'>): SuggestedForm {
  const { lines, source }: AccountEvidence = rules.evidence?.[account] ?? {};
  if (lines !== undefined) return { suggestedForm: lines, because: 'lines' };
  if (source !== undefined) return { suggestedForm: source, because: 'source' };
  // The type of an account that may be tax-free comes first: no Form 1099-B reports sales in an IRA.
  const named = isSuspected(rules, account) ? null : formByName(account);
  return { suggestedForm: named, because: named === null ? null : 'name' };
}

/** The sentences for the taxpayer. Accounts without a suggestion share one. */
export function assumedFormTexts(books: Pick<ReportBooks, 'rules' | 'summary'>): string[] {
  const assumed = assumedForms(books);
  const isPlain = ({ suggestedForm, mayBeTaxFree }: AssumedForm) => suggestedForm === null && !mayBeTaxFree;
  const plain = assumed.filter(isPlain);
  if (plain.length < 2) return assumed.map(({ text }) => text);
  const names = plain.map(({ account, boxes }) => `${account} (${listOf(boxes)})`);
  return [
    ...assumed.filter((one) => !isPlain(one)).map(({ text }) => text),
    `The boxes of these accounts are assumed, because no form is stated: ${names.join(', ')}. ${setStep}`,
  ];
}

/** `C and F`. */
export function listOf(boxes: readonly Box[]): string {
  return boxes.length < 2 ? boxes.join('') : `${boxes.slice(0, -1).join(', ')} and ${boxes.at(-1)}`;
}

function assumedFormOf(account: string, boxes: readonly Box[], rules: Rules): AssumedForm {
  const { suggestedForm, because } = suggestForm(account, rules);
  const mayBeTaxFree = isSuspected(rules, account);
  const isAssumed = because !== null && because !== 'name' && boxes.some((box) => formOfBox(box) !== undefined);
  const form = isAssumed && suggestedForm !== null ? suggestedForm : 'none';
  const assumed = { account, boxes, form, suggestedForm, because, mayBeTaxFree } as const;
  const step = mayBeTaxFree ? 'State its type and its form in the settings of the account.' : stepOf(assumed);
  return { ...assumed, text: `The boxes of ${account} are assumed (${listOf(boxes)}): ${reasonOf(assumed)} ${step}` };
}

type Assumed = Omit<AssumedForm, 'text'>;

const setStep = 'Set the form of the account in its settings, or "none" to confirm that no form was issued.';

function stepOf({ because }: Assumed): string {
  if (because === null || because === 'name') return setStep;
  return 'Confirm or change the form of the account in its settings.';
}

function reasonOf({ form, suggestedForm, because }: Assumed): string {
  if (suggestedForm === null || because === null) return 'no form is stated.';
  const sent = suggestedForm === '1099-DA' ? 'Form 1099-DA, for digital assets sold from 2025 on' : 'Form 1099-B';
  if (because === 'name') return `no form is stated. A broker or exchange of this name usually sends ${sent}.`;
  const evidence =
    because === 'lines'
      ? `the books have lines of Form ${suggestedForm}`
      : `its rows come from a source that sends Form ${suggestedForm}`;
  return form === 'none' ? `${evidence}, but no form is assumed for these sales.` : `${evidence}.`;
}

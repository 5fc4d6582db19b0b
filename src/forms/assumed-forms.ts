import type { AccountEvidence } from '../engine/model.ts';
import type { ReportBooks } from './report.ts';

/** An account whose boxes follow from its rows and not from its settings. */
export interface AssumedForm {
  readonly account: string;
  /** For the taxpayer: what is assumed, from what, and how to confirm it. */
  readonly text: string;
}

/** Of the accounts with lines of the year that a form reports, by name. The taxpayer is asked to confirm each. */
export function assumedForms({ rules, lines }: Pick<ReportBooks, 'rules' | 'lines'>): AssumedForm[] {
  const { accounts, evidence = {} } = rules;
  const assumed = Object.keys(evidence).filter((name) => accounts[name]?.form === undefined);
  if (assumed.length === 0) return [];
  const shown = new Set(lines.flatMap(({ disposal }) => (isOnForm(disposal.box) ? [disposal.account] : [])));
  return assumed
    .filter((name) => shown.has(name))
    .sort()
    .map((account) => ({ account, text: textOf(account, evidence[account] ?? {}) }));
}

function isOnForm(box: string): boolean {
  return !'CFIL'.includes(box);
}

function textOf(account: string, { lines, source }: AccountEvidence): string {
  const why =
    lines === undefined
      ? `its rows come from a source that sends Form ${source}`
      : `the books hold lines of Form ${lines}`;
  return `The boxes of ${account} are assumed: ${why}. Confirm or change it by the form of the account in the settings.`;
}

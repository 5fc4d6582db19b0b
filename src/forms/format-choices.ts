import { Refusal } from '../base/refusal.ts';
import type { ChoiceName, FormChoices } from './choices.ts';
import type { ReportBooks, ReportFormat } from './report.ts';

/** Returns the books with these choices. Rejects a choice that the format does not accept. */
export function withChoices(books: ReportBooks, format: ReportFormat, choices: FormChoices): ReportBooks {
  checkChoices(format, choices);
  // A setting for all forms applies only to a format that accepts it.
  const all = { ...books.choices, ...dropUnset(choices) };
  const usedChoices = Object.fromEntries(
    Object.entries(all).filter(([name]) => format.takes.some((one) => one === name)),
  );
  return { ...books, wholeDollars: choices.wholeDollars ?? books.wholeDollars, choices: usedChoices };
}

/** Rejects a choice that has no effect on the format, because the caller expects one. */
export function checkChoices(format: ReportFormat, choices: FormChoices): void {
  const unknown = (Object.keys(dropUnset(choices)) as ChoiceName[]).filter((name) => !format.takes.includes(name));
  if (unknown.length === 0) return;
  const takes = format.takes.length === 0 ? 'It has no options' : `Its options are ${format.takes.join(', ')}`;
  throw new Refusal('invalid', `The format ${format.id} does not have the option ${unknown.join(', ')}. ${takes}.`, {
    errors: unknown.map((name) => ({ pointer: `/${name}`, code: 'invalid', detail: `Not for ${format.id}` })),
  });
}

function dropUnset(choices: FormChoices): FormChoices {
  return Object.fromEntries(Object.entries(choices).filter(([, choice]) => choice !== undefined));
}

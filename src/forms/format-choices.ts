import { Refusal } from '../base/refusal.ts';
import type { ChoiceName, FormChoices } from './choices.ts';
import type { ReportBooks, ReportFormat } from './report.ts';

/** The books with these choices made. Refuses what the format does not take. */
export function withChoices(books: ReportBooks, format: ReportFormat, choices: FormChoices): ReportBooks {
  checkChoices(format, choices);
  // What is elected for all forms counts where it means something.
  const all = { ...books.choices, ...stated(choices) };
  const taken = Object.fromEntries(Object.entries(all).filter(([name]) => format.takes.some((one) => one === name)));
  return { ...books, wholeDollars: choices.wholeDollars ?? books.wholeDollars, choices: taken };
}

/** A choice without effect is a mistake of whoever makes it. */
export function checkChoices(format: ReportFormat, choices: FormChoices): void {
  const unknown = (Object.keys(stated(choices)) as ChoiceName[]).filter((name) => !format.takes.includes(name));
  if (unknown.length === 0) return;
  const takes = format.takes.length === 0 ? 'It has no options' : `Its options are ${format.takes.join(', ')}`;
  throw new Refusal('invalid', `The format ${format.id} does not have the option ${unknown.join(', ')}. ${takes}.`, {
    errors: unknown.map((name) => ({ pointer: `/${name}`, code: 'invalid', detail: `Not for ${format.id}` })),
  });
}

function stated(choices: FormChoices): FormChoices {
  return Object.fromEntries(Object.entries(choices).filter(([, choice]) => choice !== undefined));
}

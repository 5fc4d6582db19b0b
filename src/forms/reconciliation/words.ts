import type { DeskKind } from './findings.ts';

/** Labels for the kinds of findings. */
export const deskKindWords: Readonly<Record<DeskKind, string>> = {
  matched: 'Matched',
  as_form: 'Only on the form',
  replaced: 'Replaced by a correction',
  supplement: 'Explains a form row',
  wages: 'Wages in the basis',
  no_line: 'Not on Form 8949',
  proceeds: 'Different proceeds',
  gross_proceeds: 'Proceeds before the fee',
  basis: 'Different basis',
  basis_not_shown: 'No basis on the form',
  term: 'Different term',
  wash: 'Different wash sale loss',
  more_units: 'More units on the form',
  fewer_units: 'Fewer units on the form',
  date: 'Different date',
  elsewhere: 'Elsewhere in your records',
  name: 'Different name',
  twice: 'Reported twice',
  not_in_books: 'Not in your records',
  total: 'Different total',
  not_on_form: 'Not on the form',
  not_expected: 'No form required',
};

import type { DeskKind } from './findings.ts';

/** What the desk found, in words for people. */
export const deskKindWords: Readonly<Record<DeskKind, string>> = {
  matched: 'Matched',
  as_form: 'As on the form',
  replaced: 'Replaced by a correction',
  no_line: 'Not on Form 8949',
  proceeds: 'Other proceeds',
  gross_proceeds: 'Proceeds before the fee',
  basis: 'Other basis',
  basis_not_shown: 'No basis on the form',
  term: 'Other term',
  wash: 'Other wash sale loss',
  more_units: 'More units on the form',
  fewer_units: 'Fewer units on the form',
  date: 'Other date',
  elsewhere: 'Elsewhere in the history',
  name: 'Other name',
  twice: 'Twice on forms',
  not_in_books: 'Not in the history',
  total: 'Other total',
  not_on_form: 'Not on the form',
  not_expected: 'No form is due',
};

/**
 * The kinds of issues. Each makes the forms of its year drafts until it is resolved or accepted. `words` name it in a
 * report, `resolvedBy` says how it ends.
 */
export const issueKindTable = {
  oversold: { words: 'more sold than held', resolvedBy: 'the missing purchase, transfer or opening lot' },
  class_of_name: { words: 'name of two classes', resolvedBy: 'the class of the asset' },
  same_security: {
    words: 'two names with one CUSIP or ISIN',
    resolvedBy: '`sameAs` in the settings of one name, or a note that they are two securities',
  },
  basis_missing: { words: 'basis missing', resolvedBy: 'the basis' },
  value_missing: { words: 'value missing', resolvedBy: 'the value, or a price' },
  transfer_unpaired: { words: 'transfer without its other side', resolvedBy: 'the other leg, or its basis' },
  lot_not_found: { words: 'lot not found', resolvedBy: 'a row that names another lot' },
  identified_late: { words: 'lot named too late', resolvedBy: 'an earlier time of identification' },
  constructive_sale: { words: 'constructive sale', resolvedBy: 'your judgment' },
  payment_in_lieu: { words: 'payment in lieu of a dividend', resolvedBy: 'your judgment' },
  short_exceeded: { words: 'more covered than sold short', resolvedBy: 'the missing short sale' },
  option_not_open: { words: 'option not open', resolvedBy: 'the row that opened it' },
  option_expired: { words: 'option past its expiry', resolvedBy: 'the row that says how it ended' },
  gift_incomplete: { words: 'gift data incomplete', resolvedBy: 'the basis and date of the donor, and the value' },
  wash_window_open: {
    words: 'wash sale window open',
    resolvedBy: 'rows beyond the window, or your word that nothing was bought',
  },
  deep_put_written: {
    words: 'put written deep in the money after a loss',
    resolvedBy: 'your judgment',
  },
  discount_unknown: {
    words: 'discount of a bond unknown',
    resolvedBy:
      'the accrued market discount (Form 1099-B box 1f), the maturity date, or rows of original issue discount (Form 1099-OID)',
  },
  premium_unknown: {
    words: 'premium of a bond unknown',
    resolvedBy: 'rows of bond amortization, or your word that the bond is taxable and you made no election',
  },
  straddle_suspected: { words: 'straddle suspected', resolvedBy: 'your judgment' },
  covered_call: { words: 'covered call that may stop the holding period', resolvedBy: 'your judgment' },
  account_type_unknown: {
    words: 'account that may be tax-free',
    resolvedBy: 'the type of the account in the settings',
  },
  contribution_in_kind: {
    words: 'property moved into a tax-free account',
    resolvedBy: 'a sale at the value of the day, or the right account',
  },
  deferral_in_doubt: { words: 'deferral of a gain in doubt', resolvedBy: 'the right days, or your judgment' },
  tax_year_by_zone: {
    words: 'tax year by time zone',
    resolvedBy: 'the time zone of the taxpayer (`timeZone`, `--time-zone`), even if it is UTC, or of the import',
  },
  carryover_to_divide: {
    words: 'loss carried between joint and separate returns',
    resolvedBy: 'the carryover of the year in the settings',
  },
  loss_event: { words: 'loss to review', resolvedBy: 'your judgment' },
  class_unknown: { words: 'class unknown', resolvedBy: 'the class of the asset, here or by PATCH /tax/assets' },
  future_date: { words: 'date in the future', resolvedBy: 'the right date' },
  unreconciled: { words: 'does not reconcile', resolvedBy: 'the row or the line of the form that is wrong' },
  balance_differs: { words: 'balance differs from the rows', resolvedBy: 'the missing rows, or another balance' },
  gain_differs: {
    words: 'gain that differs from the stated gain',
    resolvedBy: 'the missing rows, the lot method of the account, or a note that the computed gain is right',
  },
  row_differs: {
    words: 'row that a later file states otherwise',
    resolvedBy: 'the word which of the two rows is right, or that both are',
  },
  rejected_line: { words: 'line that could not be read', resolvedBy: 'a row that says what the line says' },
} as const satisfies Readonly<Record<string, IssueKindRow>>;

interface IssueKindRow {
  /** Its name within a sentence. */
  readonly words: string;
  /** What ends it, beside accepting it with a note. */
  readonly resolvedBy: string;
}

export type IssueKind = keyof typeof issueKindTable;

export const issueKinds = Object.keys(issueKindTable) as IssueKind[];

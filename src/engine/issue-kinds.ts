/**
 * The kinds of issues. While an issue is open, the forms of its year are drafts. It stays open until it is resolved or
 * accepted. `words` is the name of the kind in a report. `resolvedBy` is the input that resolves it.
 */
export const issueKindTable = {
  oversold: { words: 'more units sold than held', resolvedBy: 'the missing purchase, transfer or opening lot' },
  class_of_name: { words: 'one name for two asset classes', resolvedBy: 'the class of the asset' },
  same_security: {
    words: 'two names with one CUSIP or ISIN',
    resolvedBy: '`sameAs` in the settings of one name, or a note that they are two securities',
  },
  basis_missing: { words: 'basis missing', resolvedBy: 'the basis' },
  value_missing: { words: 'value missing', resolvedBy: 'the value, or a price' },
  transfer_unpaired: { words: 'unmatched transfer', resolvedBy: 'the other side of the transfer, or its basis' },
  lot_not_found: { words: 'lot not found', resolvedBy: 'a row that names another lot' },
  identified_late: { words: 'lot identified too late', resolvedBy: 'an earlier identification time' },
  constructive_sale: { words: 'constructive sale', resolvedBy: 'your judgment' },
  payment_in_lieu: { words: 'payment in lieu of a dividend', resolvedBy: 'your judgment' },
  short_exceeded: { words: 'more units covered than sold short', resolvedBy: 'the missing short sale' },
  option_not_open: { words: 'option not open', resolvedBy: 'the row that opened it' },
  option_expired: { words: 'option past its expiration', resolvedBy: 'the row that shows how it ended' },
  gift_incomplete: {
    words: 'gift data incomplete',
    resolvedBy: "the donor's basis and acquisition date, and the value",
  },
  wash_window_open: {
    words: 'wash sale window open',
    resolvedBy: 'rows through the end of the window, or your confirmation that you bought nothing',
  },
  deep_put_written: {
    words: 'put written deep in the money after a loss',
    resolvedBy: 'your judgment',
  },
  discount_unknown: {
    words: 'bond discount unknown',
    resolvedBy:
      'the accrued market discount (Form 1099-B box 1f), the maturity date, or rows of original issue discount (Form 1099-OID)',
  },
  premium_unknown: {
    words: 'bond premium unknown',
    resolvedBy: 'bond amortization rows, or your confirmation that the bond is taxable and you made no election',
  },
  wages_unconfirmed: {
    words: 'wages to confirm',
    resolvedBy:
      'your confirmation that box 1 of Form W-2 includes them, or a note that you add them on line 1h of Form 1040',
  },
  plan_income_unknown: {
    words: 'income from an employee stock purchase plan unknown',
    resolvedBy: 'the offering date, the discount on that day and the value on the purchase date (Form 3922)',
  },
  straddle_suspected: { words: 'straddle suspected', resolvedBy: 'your judgment' },
  covered_call: { words: 'covered call that may suspend the holding period', resolvedBy: 'your judgment' },
  account_type_unknown: {
    words: 'account that may be tax-free',
    resolvedBy: 'the type of the account in the settings',
  },
  contribution_in_kind: {
    words: 'property moved into a tax-free account',
    resolvedBy: "a sale at that day's value, or the correct account",
  },
  deferral_in_doubt: { words: 'gain deferral in doubt', resolvedBy: 'the correct dates, or your decision' },
  tax_year_by_zone: {
    words: 'tax year that depends on the time zone',
    resolvedBy: "the taxpayer's time zone (`timeZone`, `--time-zone`), even if it is UTC, or the import's time zone",
  },
  carryover_to_divide: {
    words: 'loss carryover between joint and separate returns',
    resolvedBy: 'the carryover of the year in the settings',
  },
  loss_event: { words: 'loss to review', resolvedBy: 'your judgment' },
  class_unknown: { words: 'class unknown', resolvedBy: 'the class of the asset, here or with PATCH /tax/assets' },
  future_date: { words: 'date in the future', resolvedBy: 'the correct date' },
  unreconciled: { words: 'does not reconcile', resolvedBy: 'the corrected row or form line' },
  balance_differs: { words: 'balance differs from the rows', resolvedBy: 'the missing rows, or another balance' },
  gain_differs: {
    words: 'gain that differs from the reported gain',
    resolvedBy: 'the missing rows, the lot method of the account, or a note that the calculated gain is right',
  },
  row_differs: {
    words: 'row that differs in a later file',
    resolvedBy: 'your choice of the correct row, or of both',
  },
  rejected_line: { words: 'row that could not be read', resolvedBy: 'a transaction with the content of that row' },
} as const satisfies Readonly<Record<string, IssueKindRow>>;

interface IssueKindRow {
  /** Its name, for use within a sentence. */
  readonly words: string;
  /** The input that resolves it, apart from accepting it with a note. */
  readonly resolvedBy: string;
}

export type IssueKind = keyof typeof issueKindTable;

export const issueKinds = Object.keys(issueKindTable) as IssueKind[];

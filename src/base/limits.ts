/**
 * What is accepted at most: in a cell of a file, in a body of a request, in an answer to an issue, in a setting. All that
 * is computed from it are whole numbers without a limit of their own (`bigint` here, `numeric` in the database), which
 * are read back whatever their length. So the limits below bound how long a result can become, and DECISIONS.md
 * ("Limits of what is accepted") says how long: no sum, product, quotient or unit price goes beyond what can be stored
 * and printed.
 */
export const limits = {
  /** Whole digits of money in any currency: one cell is below a thousand million million. */
  moneyDigits: 15,
  /** Whole digits of units, and of dollars for one unit: some coins have 10¹⁷ units, and a price is a quotient. */
  quantityDigits: 20,
  /** A ratio of a split is between 10⁻¹² and 10¹², and so are the parts of it. */
  ratioDigits: 12,
  /** Units that one account may have after splits and mergers. More are a mistake in the rows, and are asked about. */
  unitsDigits: 30,
  /** Characters of a number, a date, a symbol or a ratio. No pattern sees a longer one. */
  valueCharacters: 300,
  /** Characters of a name: an index can hold no longer one. */
  nameCharacters: 200,
  /** Characters of a note, and of any cell that is looked at. */
  noteCharacters: 10_000,
  /**
   * Maximum number of unreadable lines of an import that are stored individually. One line for each year represents the
   * others.
   */
  rejectsKept: 10_000,
  /** Maximum number of unreadable lines of a year with their own questions. One question represents the others. */
  rejectsAskedOfYear: 500,
  /** Lots that one row names. */
  lotsOfRow: 1_000,
} as const;

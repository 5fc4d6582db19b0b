/**
 * The limits of accepted input: a cell of a file, a request body, an answer to an issue, a setting. Computed values are
 * whole numbers without a limit (`bigint` here, `numeric` in the database), which can be read back at any length. The
 * limits below therefore bound the length of results, and DECISIONS.md ("Limits of what is accepted") states how: every
 * sum, product, quotient and unit price can be stored and printed.
 */
export const limits = {
  /** Whole digits of money in any currency: one cell is below a thousand million million. */
  moneyDigits: 15,
  /** Whole digits of units, and of dollars per unit: some coins have 10¹⁷ units, and a price is a quotient. */
  quantityDigits: 20,
  /** A ratio of a split is between 10⁻¹² and 10¹², and so are the parts of it. */
  ratioDigits: 12,
  /** Maximum units of one account after splits and mergers. More are a mistake in the rows and raise an issue. */
  unitsDigits: 30,
  /** Characters of a number, a date, a symbol or a ratio. Longer ones never reach a pattern. */
  valueCharacters: 300,
  /** Characters of a name: an index can store no longer one. */
  nameCharacters: 200,
  /** Characters of a note, and of any cell that is read. */
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

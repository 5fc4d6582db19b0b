/**
 * The limits of accepted input: a cell of a file, a request body, an answer to an issue, a setting. Computed values are
 * whole numbers without a limit (`bigint` here, `numeric` in the database), which can be read back at any length. The
 * limits below therefore bound the length of results. DECISIONS.md ("Limits of what is accepted") shows that every sum,
 * product, quotient and unit price can be stored and printed.
 */
export const limits = {
  /** Whole digits of money in any currency. A single cell is below a thousand million million. */
  moneyDigits: 15,
  /** Whole digits of units, and of dollars per unit. Some coins have 10¹⁷ units, and a price is a quotient. */
  quantityDigits: 20,
  /** A split ratio is between 10⁻¹² and 10¹², and so are its parts. */
  ratioDigits: 12,
  /**
   * Maximum units in one account after splits and mergers. A larger number is a mistake in the rows and raises an
   * issue.
   */
  unitsDigits: 30,
  /** Characters in a number, a date, a symbol or a ratio. Longer text is never matched against a pattern. */
  valueCharacters: 300,
  /** Characters in a name. An index cannot store a longer one. */
  nameCharacters: 200,
  /** Characters in a note, and in any cell that is read. */
  noteCharacters: 10_000,
  /**
   * Maximum number of unreadable lines in an import that are stored individually. One line for each year represents the
   * remaining ones.
   */
  rejectsKept: 10_000,
  /**
   * Maximum number of unreadable lines in a year with their own questions. One question represents the remaining lines.
   */
  rejectsAskedOfYear: 500,
  /** Maximum number of lots that one row can name. */
  lotsOfRow: 1_000,
} as const;

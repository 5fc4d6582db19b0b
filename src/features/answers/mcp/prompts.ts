/** A question that a program offers to its user, with the tools that its answer needs. */
export interface OfferedPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly tools: readonly string[];
  /** Returns the text that the program sends to its language model. */
  readonly write: (year: number) => string;
}

const exact = 'Quote amounts exactly as the tools return them, and name everything that the books do not contain.';

/** The questions that taxpayers ask around the end of a year. Each takes the tax year. */
export const prompts: readonly OfferedPrompt[] = [
  {
    name: 'ready_to_file',
    title: 'Is the year ready to file?',
    description: 'Lists the remaining tasks before the forms of a year can be filed.',
    tools: ['year_summary', 'issues', 'compare_1099'],
    write: (year) =>
      `Check whether my books for ${year} are ready to file. Read year_summary for ${year}, all open issues, and compare_1099 for ${year} with show "questions". List my remaining tasks, the largest amount first, each with the dollars at stake and the page of Lotbook for it: Review for open issues, and 1099 desk for differences from Forms 1099. ${exact}`,
  },
  {
    name: 'explain_form_1099',
    title: 'Why does my Form 1099 differ?',
    description: 'Explains each difference between the Forms 1099 of a year and the lines of Form 8949.',
    tools: ['compare_1099', 'explain_line', 'help'],
    write: (year) =>
      `Explain how my Forms 1099 for ${year} differ from my lines of Form 8949. Read compare_1099 for ${year} with show "differences", and explain_line for the lines with the largest difference. For each difference, explain in one sentence whether the form or the books are right, with the adjustment code of Form 8949. Use help for rules of law. ${exact}`,
  },
  {
    name: 'explain_largest_lines',
    title: 'Where do my gains come from?',
    description: 'Explains the largest gains and losses of a year, down to the purchases they come from.',
    tools: ['year_summary', 'lines', 'explain_line'],
    write: (year) =>
      `Explain where my gains and losses of ${year} come from. Read year_summary for ${year}, and lines for the assets with the largest gain and the largest loss. Call explain_line for the two largest lines of each. Describe for each line what was sold, which lots were used and why, and how the gain was computed. ${exact}`,
  },
  {
    name: 'wash_sales_of_the_year',
    title: 'Which losses were disallowed?',
    description: 'Explains the wash sales of a year, and the losses that moved to later lots.',
    tools: ['wash_sales', 'lines', 'help'],
    write: (year) =>
      `Explain my wash sales of ${year}. Read wash_sales for ${year}, and lines of the assets concerned. For each asset, name the loss that was disallowed, the purchase that caused it, whether the loss moved to the basis of another lot or is lost for good, and the repurchases to avoid before the end of the 30 days. Use help for the rule. ${exact}`,
  },
  {
    name: 'plan_the_year_end',
    title: 'What can I still do this year?',
    description: 'Compares sales before the end of a year: losses to realize, and lots that turn long-term.',
    tools: ['year_summary', 'carryover', 'positions', 'next_long_term', 'what_if'],
    write: (year) =>
      `Help me plan the rest of ${year}. Read year_summary and carryover for ${year}, positions, and next_long_term. Ask me for current prices, because the books may not have them. Then call what_if for the sales that could realize losses or use a carryover, and warn me of wash sales and of lots that turn long-term soon. Do not recommend a trade: show what each sale would change. ${exact}`,
  },
];

import { page, type Topic } from './topic.ts';

const irs = (title: string, path: string): Topic['source'] => page(title, `https://www.irs.gov/${path}`);

/**
 * Topics about filing and the end of the year, for the tool `rule`. They have no phrases (`words`), because a language
 * model chooses them by name.
 */
export const topicsOfFiling = {
  opportunityFundsAtYearEnd: {
    words: [],
    text: 'Gain that was deferred in a qualified opportunity fund before 2027 is taxed on December 31, 2026, or when you dispose of the interest before then. The taxable amount is the deferred gain, or the value of the interest on that day if it is less. Subtract 10% of the deferred gain if you held the interest for five years, or 15% if you held it for seven (IRC 1400Z-2(b)). The gain keeps its character, goes on Form 8949 with code Y, and may not be deferred again (Notice 2026-40). Ask the fund for its value on December 31 and enter it as a mark for that day. Without a value, the whole deferred gain is included. File Form 8997 every year while you hold the interest, including the years after 2026.',
    source: page('IRC 1400Z-2', 'https://www.law.cornell.edu/uscode/text/26/1400Z-2'),
  },
  opportunityFundsFrom2027: {
    words: [],
    text: 'Gain that you invest in a qualified opportunity fund on or after January 1, 2027, follows new rules, even if you realized the gain in 2026. It is taxed five years after the investment, or earlier when you dispose of the interest. At five years the basis rises by 10% of the deferred gain, or 30% in a qualified rural fund. After ten years you may elect a basis equal to the value, which no longer rises after year 30 (Pub. L. 119-21, section 70421). You must make the investment within 180 days of the gain.',
    source: page('IRC 1400Z-2', 'https://www.law.cornell.edu/uscode/text/26/1400Z-2'),
  },
  tellingTheBroker: {
    words: [],
    text: 'Through December 31, 2026, if you sell digital assets through a broker, you may identify the units sold in your own records, without notifying the broker (Notice 2026-20). From January 1, 2027, the broker must have your instructions by the time of the sale. You can give them for each sale, or once as a standing order such as "highest cost first" (26 CFR 1.1012-1(j)(3)). Without them, the earliest units in that account are sold first. Send each broker your standing order before your first sale of 2027, keep the confirmation, and record it in Lotbook. For stocks, the broker must have your instructions by the settlement date. This applies in every year.',
    source: page('26 CFR 1.1012-1(j)', 'https://www.ecfr.gov/current/title-26/section-1.1012-1'),
  },
  estimatedTax: {
    words: [],
    text: "Tax on gains is due during the year. If withholding does not cover it, you pay estimated tax with Form 1040-ES. For 2026, the payments are due on April 15, June 15 and September 15, 2026, and January 15, 2027. In general there is no penalty if you owe less than $1,000 after withholding, or if withholding and timely payments are at least 90% of this year's tax or 100% of last year's (110% if your adjusted gross income last year was over $150,000, or $75,000 if married filing separately). If the gain came late in the year, Form 2210, Schedule AI, may lower the earlier installments. Lotbook does not calculate estimated tax: ask your preparer.",
    source: page('IRC 6654', 'https://www.law.cornell.edu/uscode/text/26/6654'),
  },
  stateTax: {
    words: [],
    text: "Lotbook does not calculate state tax. Most states that tax income start from federal adjusted gross income, so the gains of the federal return carry into the state return. States also ask which part of the year you lived in the state (gains on stocks and coins usually belong to the state where you lived on the day of the sale). They may have their own loss carryover, and treat some gains differently, such as opportunity funds, small business stock, government obligations and property whose basis differs in that state. Some states have no lower rate for long-term gains, and some have no income tax. Keep the full report: states may ask for Form 8949 and Schedule D. Check the rules with your state's tax agency.",
    source: page('State tax agencies', 'https://www.usa.gov/state-taxes'),
  },
  cp2000: {
    words: [],
    text: 'A CP2000 letter is a proposal, not a bill. The IRS found a Form 1099 that does not match your return, often proceeds without cost basis, and proposes tax as if the basis were zero. Respond by the date on the letter, usually within 30 days: state that you disagree, and send the Form 8949 with the sales in question, a short explanation, and the statements that show the purchases. If the sales are on your return under a different description or in a total, name the line. Do not file an amended return in response unless other items change too. If you do not respond, a notice of deficiency follows, with 90 days to petition the Tax Court.',
    source: irs('Understanding your CP2000 notice', 'individuals/understanding-your-cp2000-series-notice'),
  },
  donations: {
    words: [],
    text: 'Property that you give to a charity is not sold, so there is no gain. If you held it for more than one year, the deduction is generally its fair market value, but only its basis for coins given to a private foundation. If you held it for one year or less, the deduction is its basis or its value, whichever is less (IRC 170(e)). Form 8283 is needed once noncash gifts exceed $500. It asks for the description, the date of the gift, the date and manner of acquisition, the cost basis, and the fair market value. Publicly traded securities go in Section A. Other property over $5,000 goes in Section B and needs a qualified appraisal. That includes digital assets, because they are not publicly traded securities (CCA 202302012). The full report and the JSON download list your gifts with these items.',
    source: irs('Instructions for Form 8283', 'instructions/i8283'),
  },
  datesOf1099DA: {
    words: [],
    text: 'Form 1099-DA reports sales of digital assets through brokers. For sales in 2025 it shows proceeds, but brokers need not report basis. For sales in 2026 it must show basis for covered units. These are units bought in 2026 or later and held in the same account until the sale. The form for 2026 is due to you on February 16, 2027, because February 15 is a holiday. The broker sends it to the IRS by March 31 if it files electronically. Units that were bought before 2026, or transferred in, are noncovered, so their basis comes from your own records. Backup withholding on these sales does not begin before 2027 (Notice 2025-33).',
    source: irs('Instructions for Form 1099-DA', 'instructions/i1099da'),
  },
} satisfies Record<string, Topic>;

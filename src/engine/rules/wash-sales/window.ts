/** The window of IRC 1091(a): so many days before and after the sale, both ends in. */
export const washDays = 30;

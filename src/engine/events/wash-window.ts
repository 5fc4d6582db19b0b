/** The number of days in the window of IRC 1091(a) before and after the sale, including both ends. */
export const washDays = 30;

/** The window of IRC 1091(a): days before and after the sale, both ends included. */
export const washDays = 30;

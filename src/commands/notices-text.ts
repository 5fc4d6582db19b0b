/** The build puts the notices of all that the binary holds in the place of this. */
export const noticesText: string | null = null;

import { signal } from '@preact/signals';

/** Counts the answers that said that nobody is signed in. The session looks again at each. */
export const signedOut = signal(0);

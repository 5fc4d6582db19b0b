import { signal } from '@preact/signals';

/** Counts 401 responses. The session is checked again after each. */
export const signedOut = signal(0);

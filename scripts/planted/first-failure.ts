import { setDefaultTimeout } from 'bun:test';
import fc from 'fast-check';

/**
 * Loaded before the tests of a planted bug. A failing property stops at once: only the failure matters, and shrinking
 * to the smallest history would take longer than all other tests together.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });

// The timeout of the caller. The preload of the tests sets a shorter one, and this one is loaded after it.
setDefaultTimeout(3_600_000);

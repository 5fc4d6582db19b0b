import { setDefaultTimeout } from 'bun:test';
import fc from 'fast-check';

/**
 * Loaded before the tests for a planted bug. A failing property stops at once because only the failure matters, and
 * shrinking to the smallest history would take longer than all other tests together.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });

// The caller's timeout. The preload for the tests sets a shorter one, and this file is loaded after it.
setDefaultTimeout(3_600_000);

import { setDefaultTimeout } from 'bun:test';
import fc from 'fast-check';

/**
 * Loaded before the tests of a planted bug: a property that fails stops there. Whether it fails is all that is asked;
 * the search for the smallest history that shows it would take longer than all other tests together.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });

// As long as its caller waits: the preload of the tests says less, and this one is loaded after it.
setDefaultTimeout(3_600_000);

import { afterAll } from 'bun:test';
import { stopTestServer } from './database.ts';

// Runs once for the whole run: after the last test of the last file.
afterAll(stopTestServer);

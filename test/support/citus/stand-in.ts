import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPool } from '../../../src/db/connection.ts';

/**
 * Gives a database a stand-in for the extension Citus (stand-in/extension says what it is). False on a server before PostgreSQL
 * 18, which reads extensions from its own folder only.
 */
export async function addStandIn(url: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'lotbook-extension-'));
  const pool = openPool(url, 1);
  try {
    const [row] = await pool<
      { isNew: boolean }[]
    >`select current_setting('server_version_num')::integer >= 180000 as "isNew"`;
    if (row?.isNew !== true) return false;
    // The server runs as another user, who may not read the folder of the sources.
    cpSync(join(import.meta.dir, 'stand-in'), folder, { recursive: true });
    chmodSync(folder, 0o755);
    await pool.unsafe(`set extension_control_path = '$system:${folder}'; create extension citus`);
    return true;
  } finally {
    await pool.end({ timeout: 5 });
    rmSync(folder, { recursive: true, force: true });
  }
}

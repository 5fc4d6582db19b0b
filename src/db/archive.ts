/** The PostgreSQL inside the compiled binary. `scripts/build.ts` replaces this module. */
export const archive: PostgresArchive | null = null as PostgresArchive | null;

export interface PostgresArchive {
  /** A tar, compressed with zstd, of the folder with bin, lib and share. */
  readonly path: string;
  /** Names the folder that it is unpacked to, so that different content gets a different folder. */
  readonly hash: string;
}

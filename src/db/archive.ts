/** The PostgreSQL inside the compiled binary. `scripts/build.ts` replaces this module. */
export const archive: PostgresArchive | null = null as PostgresArchive | null;

export interface PostgresArchive {
  /** A zstd-compressed tar of the folder with bin, lib and share. */
  readonly path: string;
  /** Names the folder that the archive is unpacked to, so different content gets a different folder. */
  readonly hash: string;
}

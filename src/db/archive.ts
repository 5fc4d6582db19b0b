/** The PostgreSQL that the compiled binary carries: `scripts/build.ts` puts another module in this one's place. */
export const archive: PostgresArchive | null = null as PostgresArchive | null;

export interface PostgresArchive {
  /** A tar, compressed with zstd, of the folder with bin, lib and share. */
  readonly path: string;
  /** Names the folder it is unpacked to: another content, another folder. */
  readonly hash: string;
}

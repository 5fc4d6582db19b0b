/** What an account has with others: a subscription. `app.ts` passes it, because billing is a later room. */
export interface Elsewhere {
  /** With the deletion: nothing is paid any more. Throws where that cannot be said; then nothing is deleted. */
  stop(userId: string): Promise<void>;
  /** Where the deletion was taken back. */
  goOn(userId: string): Promise<void>;
  /** With the erasure: nothing is kept there either. May be done twice. */
  end(userId: string): Promise<void>;
}

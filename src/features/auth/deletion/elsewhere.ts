/** What an account has with other services: a subscription. `app.ts` passes it because billing is a later module. */
export interface Elsewhere {
  /** Runs on deletion and stops all payments. If it throws, nothing is deleted. */
  stop(userId: string): Promise<void>;
  /** Runs if the deletion is canceled. */
  goOn(userId: string): Promise<void>;
  /** Runs on erasure and removes the data kept there. Idempotent. */
  end(userId: string): Promise<void>;
}

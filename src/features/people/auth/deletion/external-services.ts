/**
 * Actions at other services that an account uses, such as a subscription. `app.ts` injects them, because the billing
 * module comes later in the order of modules.
 */
export interface ExternalServices {
  /** Stops all payments when the account is deleted. If it throws, nothing is deleted. */
  stop(userId: string): Promise<void>;
  /** Resumes payments if the deletion is canceled. */
  goOn(userId: string): Promise<void>;
  /** Removes the data at the service when the account is erased. Idempotent. */
  end(userId: string): Promise<void>;
}

/** The progress of recomputing books of another engine version, for /metrics. */
export class RenewalState {
  /** Taxpayers whose books are waiting. */
  left = 0;
}

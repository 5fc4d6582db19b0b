/** The progress of recalculating books from another engine version, for /metrics. */
export class RenewalState {
  /** Taxpayers whose books are waiting. */
  left = 0;
}

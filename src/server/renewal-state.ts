/** How far the books of another version of the engine are computed again, for /metrics. */
export class RenewalState {
  /** Taxpayers whose books wait. */
  left = 0;
}

import type { Outcome } from '../format.ts';

/**
 * Joins adjacent rows that have the same key. A group ends at the next key, or at a maximum size that limits memory.
 */
export class Joiner<Leg> {
  private key = '';
  private legs: Leg[] = [];

  constructor(
    private readonly finish: (legs: readonly Leg[], key: string) => readonly Outcome[],
    private readonly legsMax: number,
  ) {}

  add(key: string, leg: Leg): readonly Outcome[] {
    const done = key === this.key && this.legs.length < this.legsMax ? [] : this.end();
    this.key = key;
    this.legs.push(leg);
    return done;
  }

  end(): readonly Outcome[] {
    const { legs, key } = this;
    this.legs = [];
    return legs.length === 0 ? [] : this.finish(legs, key);
  }
}

/** Assigns the lines of all joined rows to an outcome. */
export function withLines(outcome: Outcome, lines: readonly number[]): Outcome {
  return { ...outcome, lines: [...lines].sort((a, b) => a - b) };
}

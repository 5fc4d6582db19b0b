import type { Outcome } from '../format.ts';

/**
 * Joins adjacent rows with the same key. A group ends when another key begins, or at a maximum size that bounds memory.
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

/** An outcome with the lines of all its rows. */
export function withLines(outcome: Outcome, lines: readonly number[]): Outcome {
  return { ...outcome, lines: [...lines].sort((a, b) => a - b) };
}

import { acrossWorkers } from './across.ts';
import { parsed } from './recorded.ts';
import { type Catalog, faultsOf } from './rules.ts';

export interface FaultyStatement {
  readonly rules: readonly string[];
  readonly statement: string;
}

/** Returns the statements that Citus would refuse, as far as their texts show (`rules.ts`). */
export async function findFaultyStatements(texts: readonly string[], catalog: Catalog): Promise<FaultyStatement[]> {
  return (await Promise.all(texts.map((text) => check(text, catalog)))).flat();
}

async function check(text: string, catalog: Catalog): Promise<FaultyStatement[]> {
  const words = text.replace(/\s+/g, ' ');
  const exception = acrossWorkers.some((across) => words.includes(across.words));
  const statements = await parsed(text);
  return statements.flatMap((statement) => {
    const faults = faultsOf(statement, catalog).filter(({ rule }) => rule !== 'one worker' || !exception);
    return faults.length === 0
      ? []
      : [{ rules: faults.map(({ rule, about }) => `${rule}: ${about}`), statement: words }];
  });
}

import type { Refusal } from '../../base/refusal.ts';

/** A refusal as the command prints it: what it says, and each of its errors with its place. */
export function refusalText(refusal: Refusal): string {
  const errors = (refusal.more.errors ?? []).map(({ detail, line, column, pointer }) => {
    const where = [line === undefined ? '' : `line ${line}`, column ?? '', pointer ?? '']
      .filter((word) => word !== '')
      .join(', ');
    return `\n  ${where === '' ? '' : `${where}: `}${detail}`;
  });
  return `${refusal.detail}${errors.join('')}`;
}

import type { Sql } from '../../../db/connection.ts';
import { assetOfKey } from '../../../engine/events/keys.ts';
import { selectTaxpayer } from '../books/books.queries.ts';
import type { Proposal } from './proposal.ts';

/**
 * Proposes answers to an issue about a guessed name on Forms 1099. The chosen answer is stored as `formNameOf` in the
 * settings of that name.
 */
export async function proposeNames(
  sql: Sql,
  taxpayerId: string,
  { asset, account }: { readonly asset: string; readonly account: string },
): Promise<Proposal[]> {
  const { settings } = await selectTaxpayer(sql, taxpayerId);
  const names = Object.entries(settings.formNames?.[account] ?? {});
  const name = names.find(([key]) => assetOfKey(key) === asset)?.[1].asset;
  if (name === undefined) return [];
  return [
    {
      action: 'form_name',
      asset,
      formNameOf: name,
      detail: `Same security: ${asset} on the form is ${name} in your transactions. Each sale counts once.`,
    },
    {
      action: 'form_name',
      asset,
      formNameOf: asset,
      detail: `Two securities: the sales of ${asset} on the form and those of ${name} in your transactions all count.`,
    },
  ];
}

/** Returns whether the issue is about a name instead of a sale (`forms/reconciliation/form-issues.ts`). */
export function isAboutName(issueId: string): boolean {
  return issueId.endsWith('/name');
}

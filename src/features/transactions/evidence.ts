import { type AccountEvidence, type Box, type InformationReturn, informationReturns } from '../../engine/model.ts';
import { formOfBox } from '../../engine/rules/lines/box.ts';
import { looksLikeWallet, looksTaxFree } from '../../engine/rules/questions/account-names.ts';
import { formsByFormat, looksLikeBroker } from '../../formats/information-returns.ts';

/**
 * Evidence in an account's rows about the forms that report its sales (DECISIONS.md, "The form that reports a sale"):
 * entries of a form, or the files that the rows come from. Also whether the account's name suggests a tax-free account,
 * a wallet or a broker. It depends on all rows of an account, in any order.
 */

/** Rows of an account that share both values. */
export interface AccountSource {
  readonly account: string;
  /** The format of the file; null for manual rows. */
  readonly format: string | null;
  /** The box of a `reported_sale`, else null. */
  readonly box: Box | null;
}

export type Evidence = Readonly<Record<string, AccountEvidence>>;

/** Returns the evidence by account, in a fixed order. Undefined if there is none. */
export function collectEvidence(sources: readonly AccountSource[], before: Evidence = {}): Evidence | undefined {
  const byAccount = new Map<string, AccountEvidence>(Object.entries(before));
  for (const { account, format, box } of sources) {
    const lines = box === null ? undefined : formOfBox(box);
    const source = format === null ? undefined : formsByFormat.get(format);
    const isNamed = looksTaxFree(account);
    const isWallet = looksLikeWallet(account);
    const isBroker = looksLikeBroker(account);
    if (lines === undefined && source === undefined && !isNamed && !isWallet && !isBroker) continue;
    const known = byAccount.get(account) ?? {};
    byAccount.set(account, {
      ...withForm('lines', strongest(known.lines, lines)),
      ...withForm('source', strongest(known.source, source)),
      ...(isNamed ? { taxFreeName: true as const } : {}),
      ...(isWallet ? { walletName: true as const } : {}),
      ...(isBroker ? { brokerName: true as const } : {}),
    });
  }
  if (byAccount.size === 0) return undefined;
  return Object.fromEntries([...byAccount].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function withForm(name: 'lines' | 'source', form: InformationReturn | undefined): AccountEvidence {
  return form === undefined ? {} : { [name]: form };
}

/** A sender of Form 1099-B also sends Form 1099-DA for digital assets. */
function strongest(...forms: readonly (InformationReturn | undefined)[]): InformationReturn | undefined {
  return informationReturns.find((form) => forms.includes(form));
}

import { type AccountEvidence, type Box, type InformationReturn, informationReturns } from '../../../engine/model.ts';
import { formOfBox } from '../../../engine/rules/lines/box.ts';
import { looksLikeWallet, looksTaxFree } from '../../../engine/rules/questions/account-names.ts';
import { formsByFormat, looksLikeBroker } from '../../../formats/information-returns.ts';

/** The rows of an account that have the same format and box. */
export interface AccountSource {
  readonly account: string;
  /** The format of the file, or null for manual rows. */
  readonly format: string | null;
  /** The box of a `reported_sale`, or null for other rows. */
  readonly box: Box | null;
}

/** The evidence by account, in a fixed order. */
export type Evidence = Readonly<Record<string, AccountEvidence>>;

/**
 * Collects the evidence about which form reports the sales of each account (DECISIONS.md, "The form that reports a
 * sale"): rows from a form, or the files that the rows come from. Also records whether the account's name suggests a
 * tax-advantaged account, a wallet or a broker. The result depends on all rows of an account, but not on their order.
 * Returns undefined if there is no evidence.
 */
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

/**
 * Returns the form with the highest precedence. A broker that sends Form 1099-B sends Form 1099-DA for digital assets.
 */
function strongest(...forms: readonly (InformationReturn | undefined)[]): InformationReturn | undefined {
  return informationReturns.find((form) => forms.includes(form));
}

import { yearOf } from '../../../base/day.ts';
import { assetOfKey } from '../../events/keys.ts';
import type { Issue } from '../../model.ts';

/**
 * Returns issues about names that are used for two asset classes. A coin and a stock with the same name are two assets.
 * If more of one was sold than held, and rows of the other have the same name, the two may be one asset whose class was
 * resolved in two ways. No single book contains both.
 */
export function otherClassIssues(oversold: readonly Issue[], keys: Iterable<string>): Issue[] {
  const classes = Map.groupBy(new Set(keys), assetOfKey);
  const oversoldByName = Map.groupBy(
    oversold.filter(({ asset }) => (classes.get(asset)?.length ?? 0) > 1),
    ({ asset, account, on }) => `${yearOf(on)} ${asset} ${account}`,
  );
  return [...oversoldByName.values()].flatMap(([first]) => (first === undefined ? [] : [toClassOfNameIssue(first)]));
}

function toClassOfNameIssue(oversold: Issue): Issue {
  const { asset, account, on, transactions, dollars } = oversold;
  return {
    kind: 'issue',
    causedOn: oversold.causedOn,
    id: `${transactions[0]}/0/class_of_name/${account}/${asset}`,
    issue: 'class_of_name',
    on,
    asset,
    account,
    transactions,
    dollars,
    detail:
      `More ${asset} was sold in ${account} than held, and other rows have the same name in another class. A coin and a security with the same name are two ` +
      'assets. If they are one asset, select its class.',
  };
}

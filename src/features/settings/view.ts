import { otherAccountTypes } from '../../engine/elections.ts';
import { electionsOf, type StoredSettings } from '../transactions/elections.ts';

/** The settings as GET shows them: every election, chosen or by default. */
export function settingsView(stored: StoredSettings) {
  const { rules, wholeDollars, choices, filingStatus } = electionsOf(stored, 'UTC');
  return {
    method: rules.method,
    methodByAccount: { ...rules.methodByAccount },
    methodFrom: rules.methodFrom.map((from) => ({ ...from })),
    digitalAssetScopeBefore2025: rules.digitalAssetScopeBefore2025,
    washSales: rules.washSales,
    washSalesFrom: (rules.washSalesFrom ?? []).map((from) => ({ ...from })),
    washAccounts: [...(rules.washAccounts ?? otherAccountTypes)],
    washSoldBefore: rules.washSoldBefore ?? 'exclude',
    washPeriod: rules.washPeriod ?? 'tacking',
    fragmentOrder: rules.fragmentOrder ?? 'wash_adjusted_first',
    giftBetweenBases: rules.giftBetweenBases ?? 'basis_is_proceeds',
    transferFees: rules.transferFees ?? 'disposal',
    lateIdentification: rules.lateIdentification ?? 'method',
    mergerRows: rules.mergerRows ?? 'cash_less_gain',
    standingOrders: (rules.standingOrders ?? []).map((order) => ({ ...order })),
    accounts: { ...rules.accounts },
    assets: { ...rules.assets },
    wholeDollars,
    columnB: choices.columnB ?? 'held_when_term_differs',
    mergeRows: choices.merge ?? 'none',
    digitalAssetsInTxf: choices.digitalAssets ?? 'as_not_reported',
    filingStatus,
    ...(stored.filingStatusByYear === undefined ? {} : { filingStatusByYear: { ...stored.filingStatusByYear } }),
    ...(rules.constructiveSalesOfCoinsFrom && { constructiveSalesOfCoinsFrom: rules.constructiveSalesOfCoinsFrom }),
    ...(stored.taxableIncome === undefined ? {} : { taxableIncome: { ...stored.taxableIncome } }),
    ...(stored.carryover === undefined
      ? {}
      : { carryover: Object.fromEntries(Object.entries(stored.carryover).map(([at, lost]) => [at, { ...lost }])) }),
  };
}

import { otherAccountTypes, switchDefaults } from '../../../engine/elections.ts';
import { choiceDefaults } from '../../../forms/choices.ts';
import { type StoredSettings, toElections } from '../transactions/elections.ts';

/** Returns the settings as shown by GET: all elections, whether chosen or default. */
export function settingsView(stored: StoredSettings) {
  const { rules, wholeDollars, choices, defaultFilingStatus } = toElections(stored, 'UTC');
  return {
    method: rules.method,
    methodByAccount: { ...rules.methodByAccount },
    methodFrom: rules.methodFrom.map((from) => ({ ...from })),
    digitalAssetScopeBefore2025: rules.digitalAssetScopeBefore2025,
    washSales: rules.washSales,
    washSalesFrom: (rules.washSalesFrom ?? []).map((from) => ({ ...from })),
    washAccounts: [...(rules.washAccounts ?? otherAccountTypes)],
    washSoldBefore: rules.washSoldBefore ?? switchDefaults.washSoldBefore,
    washPeriod: rules.washPeriod ?? switchDefaults.washPeriod,
    fragmentOrder: rules.fragmentOrder ?? switchDefaults.fragmentOrder,
    giftBetweenBases: rules.giftBetweenBases ?? switchDefaults.giftBetweenBases,
    transferFees: rules.transferFees ?? switchDefaults.transferFees,
    lateIdentification: rules.lateIdentification ?? switchDefaults.lateIdentification,
    mergerRows: rules.mergerRows ?? switchDefaults.mergerRows,
    standingOrders: (stored.standingOrders ?? []).map((order) => ({ ...order })),
    accounts: { ...rules.accounts },
    assets: { ...stored.assets },
    wholeDollars,
    columnB: choices.columnB ?? choiceDefaults.columnB,
    mergeRows: choices.merge ?? choiceDefaults.merge,
    digitalAssetsInTxf: choices.digitalAssets ?? choiceDefaults.digitalAssets,
    filingStatus: defaultFilingStatus,
    ...(stored.filingStatusByYear === undefined ? {} : { filingStatusByYear: { ...stored.filingStatusByYear } }),
    ...(rules.constructiveSalesOfCoinsFrom && { constructiveSalesOfCoinsFrom: rules.constructiveSalesOfCoinsFrom }),
    ...(stored.taxableIncome === undefined ? {} : { taxableIncome: { ...stored.taxableIncome } }),
    ...(stored.carryover === undefined
      ? {}
      : { carryover: Object.fromEntries(Object.entries(stored.carryover).map(([at, lost]) => [at, { ...lost }])) }),
  };
}

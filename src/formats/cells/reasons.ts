import type { Reason, RowIssue } from '../format.ts';

/** Reasons that several formats use to skip or reject a row. They have no final period because callers add it. */

export const requiredHere = 'Required for this type of row';
export const assetMissing = 'The asset is missing';
export const quantityWithoutAsset = 'The asset of this quantity is missing';
export const zeroAmount = 'The amount is zero';
export const unreadableDate = 'This is not a date between 1900 and 2100 that we can read';
export const unreadableRatio = 'This is not a ratio we can read';
export const unknownType = 'Unknown transaction type';
export const neitherDepositNorWithdrawal = 'This is neither a deposit nor a withdrawal';
export const orderNotFilled = 'The order was not filled';
export const transferNotCompleted = 'The transfer was not completed';
export const transactionNotCompleted = 'The transaction was not completed';
export const cashMoved = 'Cash movements are not imported';
export const cashFeePaid = 'Cash fees are not part of a gain';
export const currencyExchanged = 'Currency exchanges are not imported';
export const movedWithinPlatform = 'Transfer within the platform';
export const nothingAtAddress = 'Nothing moved at this address';
export const marginGains = { manual: 'Margin and futures gains are not imported. Enter them manually' };
export const noOptionNamed = 'The row does not name an option';
export const opensOrClosesUnclear = 'It is not clear whether this opens or closes a position';
export const ownAddressUnclear = { manual: 'It is not clear which address is yours. Enter it manually' };
export const legsMissing = 'Some legs of this trade are missing from the file';
export const oneSentOneReceived = 'A trade needs one amount sent and one received';
export const feeAboveTotal = 'The fee is more than the total';
export const feeInOtherCurrency = { manual: 'The fee is in a different currency than the trade. Enter it manually' };
export const feeMayBeIncluded = { manual: 'It is not clear whether the amount includes this fee. Enter it manually' };
export const feePaidOut = { manual: 'This fee was paid to you as a rebate. Enter this trade manually' };
export const actionTermsMissing = 'The terms of this corporate action are missing';
export const fractionMissing = 'The fraction of a share sold for this cash is missing';
export const brokerNote = 'Note from the broker';
export const headerRow = 'Header row';
export const totalRow = 'Total row';
export const titleOrTotal = 'Title or total row';
export const neitherPurchaseNorSale = 'This is neither a purchase nor a sale';
export const tradeNotCompleted = 'The trade was not completed';
export const transactionNotConfirmed = 'The transaction was not confirmed';
export const cashSweep = "Cash sweep to or from the account's fund";
export const pairUnclear = 'The two sides of this pair are not clear';
export const cashOrSharesUnclear = 'It is not clear whether this amount is cash or the value of the shares';
export const unreadablePrice = 'This is not a price we can read';
export const valueTooLarge = 'The value is too large';
export const unreadableRow = 'This row cannot be read';
export const malformedCell = 'Text follows a closing quote, so it is unclear where this cell ends';
export const malformedCurrency = 'A currency has three letters, like USD';
export const grossNotNetAndFee = 'the gross amount does not equal the net amount plus the fee';
export const unknownAction = 'Unknown action';
export const unknownActivity = 'Unknown activity';
export const unknownDirection = 'Unknown direction';
export const orderCanceled = 'The order was canceled';
export const transferFailed = 'The transfer failed';
export const titleOrNote = 'Title or note row';
export const marginTrade = { manual: 'Margin trades are not imported. Enter the realized gain or loss manually' };
export const washSalesOnly = { manual: 'Only wash sale adjustments (W) are imported. Enter it manually' };
export const feeAssetMissing = { manual: 'The row does not name the asset of this fee. Enter it manually' };
export const taxedPaymentUnclear = {
  manual: 'The row does not show which payment this tax was withheld from. Enter it manually',
};
export const valuesMissing = { manual: 'The file does not include everything this needs. Enter it manually' };
export const contractsUnclear = { manual: `${opensOrClosesUnclear}. Enter it manually` };
export const actionManual = { manual: `${actionTermsMissing}. Enter it manually` };

export function notTaxable(kind: 'deposit' | 'withdrawal', currency: string): string {
  return `A ${kind} of ${currency} is not a gain or loss`;
}

export function notImported(type: string): Reason {
  return { manual: `"${type}" is not imported. Enter it manually` };
}

export function inOtherCurrency(stated: string, currency: string): string {
  return `This amount is in ${stated}, but the row is in ${currency}`;
}

export function columnsDiffer(name: string): string {
  return `Several columns are named "${name}", and their values differ`;
}

/** Returns the fields of a rejection for its reason. */
export function toReasonFields(reason: Reason): Pick<RowIssue, 'reason' | 'manual'> {
  return typeof reason === 'string' ? { reason } : { reason: reason.manual, manual: true };
}

/** Returns the reason of a rejection, to reject other rows for the same reason. */
export function getReason({ reason, manual }: Pick<RowIssue, 'reason' | 'manual'>): Reason {
  return manual ? { manual: reason } : reason;
}

import { csvRecord } from '../../base/csv.ts';
import { isObject } from '../../base/json.ts';

/**
 * Converts Forms 1099-B and 1099-DA in FDX tax documents (JSON from the Financial Data Exchange: `tax1099B`,
 * `tax1099DA`) to CSV lines. The box names become the headers, so all checks for CSV files apply. Returns undefined if
 * the text is not JSON or contains no such form.
 */
export function csvOfFdx(text: string): string | undefined {
  let document: unknown;
  try {
    document = JSON.parse(text, exactNumber as (name: string, value: unknown) => unknown);
  } catch {
    return undefined;
  }
  const forms = [...listForms(document, 0)];
  if (forms.length === 0) return undefined;
  const accounts = new Set(forms.map(({ form }) => formatAccountName(form)));
  const records = forms.flatMap((one) => toRecords(one, accounts.size > 1 ? formatAccountName(one.form) : ''));
  return [fdxColumns, ...records].map(csvRecord).join('');
}

const fdxColumns = [
  'Form',
  'Account',
  'Line id',
  'Corrected',
  'Description of property',
  'Quantity',
  'Date acquired',
  'Date sold',
  'Proceeds',
  'Cost or other basis',
  'Wash sale loss disallowed',
  'Applicable checkbox on Form 8949',
  'Term',
  'Basis reported to IRS',
  'Noncovered security',
  'Federal income tax withheld',
  'Number of transactions',
  'Tax year',
] as const;

type FdxObject = Readonly<Record<string, unknown>>;

interface FdxForm {
  readonly name: '1099-B' | '1099-DA';
  readonly form: FdxObject;
}

const formNames: Readonly<Record<string, FdxForm['name']>> = { tax1099b: '1099-B', tax1099da: '1099-DA' };
/** The maximum depth of a form within a document. */
const depthMax = 12;

function* listForms(value: unknown, depth: number): Generator<FdxForm> {
  if (depth > depthMax) return;
  if (Array.isArray(value)) for (const item of value) yield* listForms(item, depth + 1);
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const known = formNames[name.toLowerCase()];
    if (known === undefined) yield* listForms(member, depth + 1);
    else for (const form of Array.isArray(member) ? member : [member]) if (isObject(form)) yield { name: known, form };
  }
}

function toRecords({ name, form }: FdxForm, account: string): string[][] {
  const details = ['securityDetails', 'digitalAssetDetails'].flatMap((member) => {
    const list = form[member];
    return Array.isArray(list) ? list.filter((item) => isObject(item)) : [];
  });
  const corrected = form.corrected === true ? 'yes' : '';
  const formId = toText(form.taxFormId);
  return details.map((detail, index) => {
    const lineId = toText(detail.id ?? detail.lineId) || (formId === '' ? '' : `${formId}-${index + 1}`);
    const various = detail.variousDatesAcquired === true;
    return [
      name,
      account,
      lineId,
      detail.corrected === true ? 'yes' : corrected,
      findSecurityName(detail),
      toText(detail.numberOfShares ?? detail.numberOfUnits ?? detail.quantity),
      various ? 'VARIOUS' : toText(detail.dateAcquired),
      toText(detail.dateOfSale),
      toText(detail.salesPrice ?? detail.proceeds),
      toText(detail.costBasis),
      toText(detail.washSaleLossDisallowed),
      toText(detail.checkboxOnForm8949),
      toText(detail.longOrShort),
      toText(detail.basisReported),
      toText(detail.noncoveredSecurity),
      toText(detail.federalTaxWithheld),
      toText(detail.numberOfTransactions),
      toText(form.taxYear),
    ];
  });
}

function findSecurityName(detail: FdxObject): string {
  const names = [detail.symbol, detail.digitalAssetCode, detail.digitalAssetName, detail.securityName];
  return names.map(toText).find((name) => name !== '') ?? toText(detail.saleDescription);
}

function formatAccountName({ payer, issuer, accountId }: FdxObject): string {
  const [from] = [payer, issuer].filter((party) => isObject(party));
  return [toText(from?.name1 ?? from?.name), toText(accountId)].filter((text) => text !== '').join(' ');
}

function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Keeps a number as written, because a float would change its last digits. */
function exactNumber(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? (context?.source ?? String(value)) : value;
}

import type { DeskKind } from '../../src/forms/reconciliation/findings.ts';

/**
 * A made-up year of 1,000 sales, and the forms of its two accounts with fifty planted differences, five of each kind.
 */
export interface PlantedForms {
  /** The history, as Lotbook CSV. */
  readonly history: string;
  /** The forms as CSV and as FDX documents, with the same rows. */
  readonly csv: string;
  readonly fdx: string;
  /** By asset, because every sale has a different asset. */
  readonly planted: ReadonlyMap<string, { readonly kind: DeskKind; readonly value: string }>;
}

interface FormRow {
  form: '1099-B' | '1099-DA';
  account: string;
  asset: string;
  quantity: number;
  acquired: string;
  sold: string;
  proceeds: number;
  basis: number;
  wash: number;
  box: string;
}

const kinds: readonly DeskKind[] = [
  'gross_proceeds',
  'proceeds',
  'basis',
  'term',
  'wash',
  'more_units',
  'fewer_units',
  'date',
  'not_on_form',
  'not_in_books',
];

export function plantedForms(): PlantedForms {
  const history = ['date,type,account,asset,quantity,amount,fee,asset_class'];
  const rows: FormRow[] = [];
  const planted = new Map<string, { kind: DeskKind; value: string }>();
  for (let sale = 0; sale < 1_000; sale++) {
    const isCoin = sale % 2 === 1;
    const [account, asset, assetClass] = isCoin
      ? ['Exchange', `COIN${sale}`, 'crypto']
      : ['Broker', `STK${sale}`, 'stock'];
    const [bought, basis] = ['2026-01-05', 1_000 + sale];
    const sold = `2026-${String(2 + (sale % 10)).padStart(2, '0')}-${String(1 + (sale % 27)).padStart(2, '0')}`;
    // Every third sale is a loss.
    const proceeds = sale % 3 === 0 ? basis - 100 : basis + 250;
    const block = Math.floor(sale / 20);
    const kind = sale === block * 20 + (block % 2) ? kinds[block % 10] : undefined;
    const fee = kind === 'gross_proceeds' ? 5 : 0;
    history.push(`${bought},buy,${account},${asset},10,${basis},0,${assetClass}`);
    if (kind !== 'not_in_books') history.push(`${sold},sell,${account},${asset},10,${proceeds},${fee},${assetClass}`);
    const row: FormRow = {
      ...{
        form: isCoin ? '1099-DA' : '1099-B',
        account: account ?? '',
        asset: asset ?? '',
        quantity: 10,
        acquired: bought,
        sold,
      },
      ...{ proceeds, basis, wash: 0, box: isCoin ? 'G' : 'A' },
    };
    if (kind !== undefined) planted.set(row.asset, { kind, value: change(row, kind).toFixed(2) });
    if (kind !== 'not_on_form') rows.push(row);
  }
  return { history: history.join('\n'), csv: csvOf(rows), fdx: fdxOf(rows), planted };
}

/** Changes the form's row, and returns the resulting difference in dollars. */
function change(row: FormRow, kind: DeskKind): number {
  const { proceeds, basis } = row;
  switch (kind) {
    case 'gross_proceeds':
      return 5;
    case 'proceeds':
      row.proceeds += 37;
      return 37;
    case 'basis':
      row.basis -= 50;
      return 50;
    case 'term':
      row.box = 'J';
      return Math.abs(proceeds - basis);
    case 'wash':
      row.wash = 20;
      return 20;
    case 'more_units':
      row.quantity = 12;
      row.proceeds = proceeds * 1.2;
      row.basis = basis * 1.2;
      return proceeds * 0.2;
    case 'fewer_units':
      row.quantity = 6;
      row.proceeds = proceeds * 0.6;
      row.basis = basis * 0.6;
      return proceeds * 0.4;
    case 'date':
      row.sold = row.sold.replace(/\d\d$/, (day) => String(Number(day) + 1).padStart(2, '0'));
      return proceeds;
    default:
      return proceeds;
  }
}

function csvOf(rows: readonly FormRow[]): string {
  const header =
    'Form,Account,Description of property,Quantity,Date acquired,Date sold,Proceeds,Cost or other basis,Wash sale loss disallowed,Applicable checkbox on Form 8949';
  const lines = rows.map((row) => {
    const { form, account, asset, quantity, acquired, sold, proceeds, basis, wash, box } = row;
    return [form, account, asset, quantity, acquired, sold, proceeds.toFixed(2), basis.toFixed(2), wash, box].join(',');
  });
  return [header, ...lines].join('\n');
}

function fdxOf(rows: readonly FormRow[]): string {
  const detailsOf = (form: FormRow['form']) =>
    rows
      .filter((row) => row.form === form)
      .map(({ asset, quantity, acquired, sold, proceeds, basis, wash, box }) => ({
        checkboxOnForm8949: box,
        symbol: asset,
        numberOfShares: quantity,
        dateAcquired: acquired,
        dateOfSale: sold,
        salesPrice: Number(proceeds.toFixed(2)),
        costBasis: Number(basis.toFixed(2)),
        washSaleLossDisallowed: wash,
      }));
  return JSON.stringify({
    forms: [
      { tax1099B: { taxYear: 2026, issuer: { name1: 'Broker' }, securityDetails: detailsOf('1099-B') } },
      { tax1099DA: { taxYear: 2026, issuer: { name1: 'Exchange' }, securityDetails: detailsOf('1099-DA') } },
    ],
  });
}

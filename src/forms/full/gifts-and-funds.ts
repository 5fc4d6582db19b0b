import { formatDayUs } from '../../base/day.ts';
import { type Cents, formatQuantity } from '../../base/decimal.ts';
import { printCents } from '../amounts.ts';
import { acquisitionWords, donationRemarks, listPropertyGifts, type PropertyGift } from '../form-8283.ts';
import { form8997 } from '../form-8997.ts';
import { palette, type Sheet } from '../pdf/sheet.ts';
import { drawTable, type TableColumn, type TableRow } from '../pdf/table.ts';
import { previewOf8997 } from '../preview.ts';
import type { ReportBooks } from '../report.ts';

/** Chapters with the data for Form 8283 and Form 8997. Omitted if the year has none. */

export function drawGifts(sheet: Sheet, books: ReportBooks): void {
  const gifts = listPropertyGifts(books);
  if (gifts.length === 0) return;
  sheet.open('Gifts and donations', 'flowing');
  sheet.paragraph('Property given away is not sold and is not reported on Form 8949.');
  for (const [type, title] of chapters) {
    const giftsOfType = gifts.filter(({ gift }) => gift.type === type);
    if (giftsOfType.length === 0) continue;
    sheet.heading(title, true);
    const isDonated = type === 'donate';
    const columns = isDonated
      ? [...givenColumns, { title: 'Deductible', share: 2.2, align: 'right' } as const]
      : givenColumns;
    drawTable(
      sheet,
      columns,
      giftsOfType.map((one) => givenRow(one, isDonated)),
    );
  }
  for (const remark of donationRemarks(gifts)) sheet.paragraph(remark);
}

const chapters = [
  ['donate', 'Donations, for Form 8283'],
  ['gift_out', 'Gifts to people'],
] as const;

const givenColumns: readonly TableColumn[] = [
  { title: 'Description', share: 3.2 },
  { title: 'Given', share: 1.8, align: 'center' },
  { title: 'Acquired', share: 1.8, align: 'center' },
  { title: 'How', share: 1.8 },
  { title: 'Term', share: 1.1 },
  { title: 'Basis', share: 2.2, align: 'right' },
  { title: 'Fair market value', share: 2.4, align: 'right' },
];

function givenRow(
  { gift, how, acquired, term, basis, deductible, appraisal }: PropertyGift,
  isDonated: boolean,
): TableRow {
  const inherited = gift.inherited ? 'INHERITED' : null;
  const cells = [
    `${formatQuantity(gift.quantity)} ${gift.asset}${appraisal ? ' (appraisal)' : ''}`,
    formatDayUs(gift.on),
    inherited ?? (acquired === null ? 'not known' : formatDayUs(acquired)),
    how === null ? 'not stated' : acquisitionWords[how],
    term ?? '',
    basis === null ? 'not known' : printCents(basis),
    gift.value === null ? 'not stated' : printCents(gift.value),
  ];
  return { cells: isDonated ? [...cells, deductible === null ? 'not known' : printCents(deductible)] : cells };
}

export function drawFunds(sheet: Sheet, books: ReportBooks): void {
  const rows = form8997(books);
  if (rows.length === 0) return;
  sheet.open('Opportunity funds, for Form 8997', 'flowing');
  const preview = previewOf8997(books.year);
  if (preview !== '') sheet.paragraph(preview, 'bold');
  const cents = (amount: Cents | null): string => (amount === null ? '' : printCents(amount));
  drawTable(
    sheet,
    [
      { title: 'Part', share: 1 },
      { title: 'Fund', share: 2.4 },
      { title: 'Units', share: 1.8, align: 'right' },
      { title: 'Invested', share: 1.8, align: 'center' },
      { title: 'Included on', share: 1.8, align: 'center' },
      { title: 'Term', share: 1 },
      { title: 'Deferred', share: 2.1, align: 'right' },
      { title: 'Value', share: 2.1, align: 'right' },
      { title: 'Adjustment', share: 2.1, align: 'right' },
      { title: 'Included', share: 2.1, align: 'right' },
      { title: 'Basis', share: 2.1, align: 'right' },
    ],
    rows.map((row) => ({
      cells: [
        row.part,
        row.fund,
        formatQuantity(row.quantity),
        formatDayUs(row.invested),
        row.includedOn === null ? '' : formatDayUs(row.includedOn),
        row.term,
        row.part === 'V' ? '' : cents(row.deferred),
        cents(row.value),
        cents(row.adjustment),
        cents(row.included),
        cents(row.basis),
      ],
    })),
  );
  sheet.paragraph(
    'Each gain that was deferred or included also has a line of Form 8949 (codes Z and Y).',
    'italic',
    palette.muted,
  );
}

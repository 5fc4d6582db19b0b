import { formatDayUs } from '../../base/day.ts';
import { type Cents, formatQuantity } from '../../base/decimal.ts';
import { printCents } from '../amounts.ts';
import { acquisitionWords, donationRemarks, listPropertyGifts, type PropertyGift } from '../form-8283.ts';
import { form8997 } from '../form-8997.ts';
import { palette, type Sheet } from '../pdf/sheet.ts';
import { drawTable, type TableRow } from '../pdf/table.ts';
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
    const columns = isDonated ? `${givenColumns} | Deductible 2.2 right` : givenColumns;
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

const givenColumns = `Description 3.2 | Given 1.8 center | Acquired 1.8 center | How 1.8 | Term 1.1 | Basis 2.2 right
    | Fair market value 2.4 right`;

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
    `Part 1 | Fund 2.4 | Units 1.8 right | Invested 1.8 center | Included on 1.8 center | Term 1
    | Deferred 2.1 right | Value 2.1 right | Adjustment 2.1 right | Included 2.1 right | Basis 2.1 right`,
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

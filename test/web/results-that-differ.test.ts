import { afterAll, beforeAll, expect, test } from 'bun:test';
import { importCsv } from '../support/books.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';
import { untilRead } from '../support/site-pages.ts';

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
});
afterAll(() => site.close());

const file = `Statement,Header,Field Name,Field Value
Statement,Data,Title,Activity Statement
Trades,Header,DataDiscriminator,Asset Category,Currency,Symbol,Date/Time,Quantity,T. Price,C. Price,Proceeds,Comm/Fee,Basis,Realized P/L,MTM P/L,Code
Trades,Data,Order,Stocks,USD,ELMS,"2025-04-01, 10:00:00",20,30,30,-600,-1,601,0,0,O
Trades,Data,Order,Stocks,USD,ELMS,"2025-04-09, 10:00:00",-20,33,33,660,-1,-601,85,0,C
Trades,Data,Order,Stocks,USD,OAKS,"2025-04-32, 10:00:00",-20,33,33,660,-1,-601,58,0,C
`;

test('a result that differs has its own heading, with the row, both numbers and the difference', async () => {
  const owner = await site.app.register('PRO');
  await importCsv(owner, file);
  for (const look of [
    { width: 1280, height: 800 },
    { width: 1280, height: 800, dark: true },
    { width: 360, height: 740 },
  ]) {
    const visit = await site.visit('/import/rejected', { as: owner, ...look });
    const { page } = visit;
    await untilRead(page);
    const section = page.getByRole('region', { name: 'Results that differ' });
    await section.waitFor();
    const card = section.getByRole('article', { name: /^Line 5 of/ });
    const texts = await card.locator('dl').first().locator('dd').allTextContents();
    expect(texts).toEqual(['85.00', '58.00', '27.00']);
    expect(await card.getByRole('button').allTextContents()).toEqual(['Dismiss']);
    // The line that was not read keeps its own card and actions.
    expect(await section.getByRole('article').count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Edit row' }).count()).toBe(1);
    await visit.expectAccessible();
    if (look.width < 500) await visit.expectPhoneFit();
    await visit.close();
  }
});

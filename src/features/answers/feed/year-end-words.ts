import { type Day, formatDay } from '../../../base/day.ts';
import type { DueInclusion } from '../../gains/planning/planning.queries.ts';
import type { BrokerOrder } from '../../gains/planning/year-end.ts';

/** The maximum number of broker messages in a notification body. `GET /v1/tax/year-end` returns all of them. */
const textsMax = 3;

interface YearEndText {
  readonly title: string;
  readonly body: string;
}

export function brokerWords(brokers: readonly BrokerOrder[]): YearEndText {
  const from = formatDay(brokers[0]?.from as Day).slice(0, 4);
  const names = brokers.map(({ account }) => account).join(', ');
  const texts = brokers
    .slice(0, textsMax)
    .map(({ account, message }) => `Text to send to ${account}:\n\n${message}`)
    .join('\n\n');
  const rule = `From January 1, ${from}, on, lots of digital assets at a broker count as identified only if the broker has your instructions by the time of the sale (Notice 2026-20). Otherwise they are sold first in, first out.`;
  return {
    title: 'Tell your brokers which lots you sell',
    body: `${rule} Your lot order is different for ${names}. Notify each broker, keep the confirmation, and enter the date and how you told them in the account's settings. That ends this reminder.\n\n${texts}`,
  };
}

export function fundWords(funds: readonly DueInclusion[]): YearEndText {
  const [first] = funds;
  const on = formatDate(first?.dueOn ?? '');
  const names = [...new Set(funds.map(({ fund }) => fund))];
  return {
    title:
      names.length === 1 ? `Get the value of ${names[0]} on ${on}` : `Get the values of ${names.length} funds on ${on}`,
    body: `The gain deferred in ${names.join(', ')} is included on ${on}: the gain, or the value of the interest on that day if it is less (IRC 1400Z-2(b)(2)). Ask the fund for its value on that day and enter it as a mark. Without a value, the whole gain is included.`,
  };
}

export function lastDayWords(year: number, last: Day, intoJanuary: Day): YearEndText {
  return {
    title: `The last trading day of ${year} is ${formatDate(formatDay(last))}`,
    body: `A sale of securities through that day counts in ${year}, regardless of when it settles. Digital assets can be sold through December 31. A loss on a sale from ${formatDate(formatDay(intoJanuary))} on has a wash sale window that extends into January ${year + 1}: a purchase within 30 days of the sale disallows it (IRC 1091).`,
  };
}

const months = 'January February March April May June July August September October November December'.split(' ');

function formatDate(day: string): string {
  const [year, month, dayOfMonth] = day.split('-').map(Number) as [number, number, number];
  return `${months[month - 1]} ${dayOfMonth}, ${year}`;
}

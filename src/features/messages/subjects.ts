/**
 * The subjects about the books, one per row. Each line in `words` is a phrasing: the question must contain one
 * alternative from every group of the line. Words in `also` are optional. A question with any other meaningful word
 * counts as not understood, so that no question is answered because of a single known word.
 */
export interface SubjectRow {
  readonly words: readonly string[];
  readonly also?: string;
  /**
   * The years that the answer covers if the question mentions none. `all`: every year. `one`: the assistant asks if the
   * books have several years. `none`: the answer is about today.
   */
  readonly years: 'all' | 'one' | 'none';
}

const result = 'sell return tax activeyears net money trading';

export const subjects = {
  gains: {
    years: 'all',
    words: ['gain|loss', 'gain loss', 'shortterm longterm gain|loss', 'gain sell', 'loss sell'],
    also: `${result} shortterm longterm`,
  },
  shortTermGains: { years: 'all', words: ['shortterm', 'shortterm gain|loss'], also: result },
  longTermGains: { years: 'all', words: ['longterm gain|loss', 'longterm gain|loss sell'], also: result },
  taxOnGains: {
    years: 'all',
    words: ['owe', 'owe tax', 'tax gain|loss|sell', 'owe gain|loss|sell', 'owe tax gain|loss|sell'],
    also: 'will pay',
  },
  proceeds: { years: 'all', words: ['proceeds', 'proceeds sell'] },
  soldBasis: { years: 'all', words: ['basis sell'] },
  sales: { years: 'all', words: ['sell'] },
  extremes: {
    years: 'all',
    words: ['best|worst', 'best|worst gain|loss', 'best|worst sell', 'best|worst gain|loss sell', 'loss best'],
  },
  holdings: { years: 'none', words: ['hold', 'hold asset', 'open hold'], also: 'open share' },
  units: { years: 'none', words: ['share', 'share hold', 'share open'] },
  lots: {
    years: 'none',
    words: ['lot', 'lot open', 'lot hold', 'buy', 'lot buy', 'lot open hold', 'lot basis hold', 'lot basis'],
    also: 'share',
  },
  basis: {
    years: 'none',
    words: ['basis', 'basis hold', 'basis share', 'basis lot', 'basis open', 'basis buy', 'pay', 'pay share'],
  },
  longTerm: {
    years: 'none',
    words: [
      'longterm turn',
      'longterm lot',
      'longterm wait',
      'longterm hold',
      'longterm share',
      'holdingperiod',
      'longterm day',
      'longterm lot turn',
      'long hold',
      'longterm open',
      'longterm shortterm hold|lot',
      'shortterm lot|share|hold',
    ],
    also: 'lot share hold day wait long not must open shortterm soon will',
  },
  form8949: {
    years: 'one',
    words: ['report', '8949', 'report 8949', '8949 line', 'scheduled', 'line', 'report line'],
    also: 'gain loss hold contain pdf',
  },
  boxes: {
    years: 'one',
    words: ['box', 'box line', 'box 8949', 'box line 8949', 'box report'],
    also: 'b c d e f g h i j k l gain loss',
  },
  washSales: {
    years: 'all',
    words: ['washsale', 'washsale loss', 'washsale disallowed', 'loss disallowed', 'washsale sell'],
    also: 'disallowed rule affect affected',
  },
  carryover: { years: 'one', words: ['carryover', 'carryover loss', 'loss deduct', 'deduct', 'carryover loss deduct'] },
  harvest: {
    years: 'none',
    words: [
      'harvest',
      'harvest loss',
      'loss take',
      'loss harvest candidates',
      'harvest gain',
      'loss open',
      'deduct gain loss',
    ],
    also: 'candidates opportunities tax take hold lot',
  },
  whatIf: {
    years: 'none',
    words: ['whatif', 'whatif sell', 'whatif sell gain', 'whatif sell loss', 'whatif sell tax', 'whatif sell owe'],
    also: 'happens happen gain loss tax price share hold sell lot drops rises falls half everything will all',
  },
  income: { years: 'all', words: ['income'], also: 'tax' },
  dividends: { years: 'all', words: ['dividend', 'dividend income'], also: 'receive received pay' },
  interest: { years: 'all', words: ['interest', 'interest income'], also: 'receive received pay gain' },
  staking: { years: 'all', words: ['staking', 'staking income'], also: 'receive received pay gain' },
  withheld: { years: 'all', words: ['withheld', 'withheld tax'] },
  issues: { years: 'none', words: ['issue', 'issue open'], also: 'anything everything line basis need needs data' },
  explained: {
    years: 'none',
    words: [
      'explain line',
      'explain transaction',
      'explain sell',
      'explain everything',
      'everything complete',
      'complete',
    ],
    also: 'everything',
  },
  activeYears: { years: 'none', words: ['activeyears'], also: 'transaction cover covered trade' },
  assetsKnown: { years: 'none', words: ['traded', 'asset know'], also: '' },
  contracts1256: {
    years: 'all',
    words: ['1256', '1256 contracts', '6781', 'futures'],
    also: 'gain loss contracts section form result',
  },
  help: { years: 'none', words: ['help', 'ask', 'capable'] },
} satisfies Record<string, SubjectRow>;

export type Subject = keyof typeof subjects;

import { answerGains } from './answer-gains.ts';
import { answerHarvest } from './answer-harvest.ts';
import { answerLongTerm, answerLots } from './answer-lots.ts';
import { answerWhatIf } from './answer-what-if.ts';
import {
  answerAssets,
  answerCarryover,
  answerContracts,
  answerExplained,
  answerIncome,
  answerIssues,
  answerReport,
  answerWashSales,
  answerYears,
} from './answer-year.ts';
import type { Question } from './question.ts';
import type { AssistantReply, ReplyContext } from './view.ts';

/** A question that the built-in assistant answers from the books. */
export interface Template {
  readonly id: string;
  /** Shown as a suggestion. `{year}` and `{asset}` are replaced with those of the books. */
  readonly example: string;
  /** Ways to ask it. A question is matched with the nearest of them, so order and small words do not matter. */
  readonly wordings: readonly string[];
  /**
   * The years that the answer covers if the question mentions none. `all`: every year. `one`: the assistant asks if the
   * books have several years. `today`: the answer is about what is held today. `none`: it depends on no year.
   */
  readonly years: 'all' | 'one' | 'today' | 'none';
  /** Whether the answer can be limited to an account. */
  readonly byAccount?: true;
  /** Whether it answers questions about a sale that has not happened: only those, or also those. */
  readonly hypothetical?: 'only' | 'also';
  readonly answer: (question: Question, context: ReplyContext) => Promise<AssistantReply>;
}

function lines(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim());
}

/** All templates. */
export const templates: readonly Template[] = [
  {
    id: 'gains',
    example: 'What were my gains in {year}?',
    years: 'all',
    byAccount: true,
    answer: (question, context) => answerGains(question, context),
    wordings: lines(`
      gains
      losses
      gain or loss
      capital gain
      net capital gain for tax year
      realized gains
      gains by year in total
      short-term and long-term gains
      how much did I make
      how much have I made
      how much money did I make from trading
      how much profit have I made so far
      profit
      how much did I lose
      did I lose money
      did I make money
      how much did I earn
      did I gain or lose overall
      am I up or down
      gains ytd
      profit and loss p l pnl
      performance`),
  },
  {
    id: 'shortTermGains',
    example: 'What were my short-term gains in {year}?',
    years: 'all',
    byAccount: true,
    answer: (question, context) => answerGains(question, context, 'shortTerm'),
    wordings: lines(`
      short-term gains
      short term capital gains
      short-term losses
      short-term profit`),
  },
  {
    id: 'longTermGains',
    example: 'What were my long-term gains in {year}?',
    years: 'all',
    byAccount: true,
    answer: (question, context) => answerGains(question, context, 'longTerm'),
    wordings: lines(`
      long-term gains
      long term capital gains
      long-term losses
      long-term profit`),
  },
  {
    id: 'taxOnGains',
    example: 'How much tax do I owe for {year}?',
    years: 'all',
    answer: (question, context) => answerGains(question, context, 'tax'),
    wordings: lines(`
      how much tax do I owe
      what do I owe in taxes
      what do I owe on my gains
      how much tax do I pay on my gains
      tax on my sales
      tax bill`),
  },
  {
    id: 'proceeds',
    example: 'What were my proceeds in {year}?',
    years: 'all',
    byAccount: true,
    answer: (question, context) => answerGains(question, context, 'proceeds'),
    wordings: lines(`
      proceeds
      total proceeds of sales`),
  },
  {
    id: 'soldBasis',
    example: 'What was the cost basis of my sales in {year}?',
    years: 'all',
    byAccount: true,
    answer: (question, context) => answerGains(question, context, 'basis'),
    wordings: lines(`
      cost basis of what I sold
      cost basis of my sales`),
  },
  {
    id: 'sales',
    example: 'How many sales did I have in {year}?',
    years: 'all',
    byAccount: true,
    answer: (question, context) => answerGains(question, context, 'sales'),
    wordings: lines(`
      sales
      how many sales did I have
      how many trades did I make
      what did I sell
      how much did I sell
      disposals`),
  },
  {
    id: 'best',
    example: 'What were my best sales in {year}?',
    years: 'all',
    answer: (question, context) => answerGains(question, context, 'best'),
    wordings: lines(`
      best trade
      best sales
      biggest gains
      largest gain
      top winners
      most profitable asset
      best performing stock
      which asset gained the most
      top gains`),
  },
  {
    id: 'worst',
    example: 'What were my worst sales in {year}?',
    years: 'all',
    answer: (question, context) => answerGains(question, context, 'worst'),
    wordings: lines(`
      worst trade
      worst sales
      biggest losses
      largest loss
      losers
      worst performing stock
      which asset lost the most`),
  },
  {
    id: 'holdings',
    example: 'What do I hold?',
    years: 'today',
    byAccount: true,
    answer: answerLots,
    wordings: lines(`
      what do I hold
      holdings
      open positions
      portfolio right now
      what do I currently own
      which stocks and coins do I have
      how much do I own
      how many shares do I own
      how many shares units coins do I have left
      position
      biggest holding
      largest position`),
  },
  {
    id: 'lots',
    example: 'Which lots of {asset} do I hold?',
    years: 'today',
    byAccount: true,
    answer: answerLots,
    wordings: lines(`
      which lots do I hold
      show my lots
      list my open lots
      when did I buy
      what did I buy
      purchases
      oldest lot`),
  },
  {
    id: 'basis',
    example: 'What is my cost basis in {asset}?',
    years: 'today',
    byAccount: true,
    answer: answerLots,
    wordings: lines(`
      what is my cost basis
      basis
      total cost basis
      basis of my holdings
      how much did I pay for my shares
      what did I pay`),
  },
  {
    id: 'longTerm',
    example: 'When do my lots turn long-term?',
    years: 'today',
    byAccount: true,
    answer: answerLongTerm,
    wordings: lines(`
      when do my lots turn long-term
      which lots are long-term
      which lots go long term next
      when do my shares become long term
      which of my lots are still short-term
      what is the holding period of my lots
      how long must I hold
      days until long-term`),
  },
  {
    id: 'form8949',
    example: 'What is on my Form 8949 for {year}?',
    years: 'one',
    answer: answerReport,
    wordings: lines(`
      what is on my form 8949
      show my report
      what does the report hold
      what does my form 8949 hold contain
      how many lines are on my 8949
      lines of form 8949
      schedule d
      how many entries`),
  },
  {
    id: 'boxes',
    example: 'Which boxes of Form 8949 do I have in {year}?',
    years: 'one',
    answer: answerReport,
    wordings: lines(`
      which boxes of form 8949 do I have
      boxes
      what is in box
      how many lines are in box`),
  },
  {
    id: 'washSales',
    example: 'Do I have any wash sales in {year}?',
    years: 'all',
    answer: answerWashSales,
    wordings: lines(`
      wash sales
      do I have any wash sales
      were any losses washed
      how much loss was disallowed
      disallowed losses
      did the wash sale rule affect me`),
  },
  {
    id: 'carryover',
    example: 'How much of my losses carries over from {year}?',
    years: 'one',
    answer: answerCarryover,
    wordings: lines(`
      how much loss do I carry forward
      how much loss do I carry over
      loss carryover
      carryover
      carryforward from
      how much can I deduct
      losses carried
      deductible loss`),
  },
  {
    id: 'harvest',
    example: 'Which losses could I take this year?',
    years: 'none',
    hypothetical: 'also',
    answer: answerHarvest,
    wordings: lines(`
      which losses could I take
      what losses could I take
      tax-loss harvesting candidates
      harvest losses
      unrealized losses
      which positions can I harvest losses from
      can I still offset my gains with losses
      which of my holdings are at a loss
      underwater positions
      losses available
      losses I can still use`),
  },
  {
    id: 'whatIf',
    example: 'What if I sell 5 {asset} at $150?',
    years: 'none',
    byAccount: true,
    hypothetical: 'only',
    answer: answerWhatIf,
    wordings: lines(`
      what if I sell
      what if I sell at price
      what if it drops to
      what would my gain be if I sold half
      if I sell shares what happens
      if I were to sell what would I gain
      selling
      selling at a price
      what would a sale bring
      what happens if I sell everything
      how much would I get if I sold
      what would I lose if I sold
      what if I sell all for each`),
  },
  {
    id: 'income',
    example: 'How much income did I have in {year}?',
    years: 'all',
    answer: (question, context) => answerIncome(question, context),
    wordings: lines(`
      income
      how much income did I have`),
  },
  {
    id: 'dividends',
    example: 'How much dividend income did I have in {year}?',
    years: 'all',
    answer: (question, context) => answerIncome(question, context, 'dividends'),
    wordings: lines(`
      dividends
      dividend income
      dividends received from
      what dividends did it pay`),
  },
  {
    id: 'interest',
    example: 'How much interest did I earn in {year}?',
    years: 'all',
    answer: (question, context) => answerIncome(question, context, 'interest'),
    wordings: lines(`
      interest
      interest income
      how much interest did I earn`),
  },
  {
    id: 'staking',
    example: 'How much did I earn from staking in {year}?',
    years: 'all',
    answer: (question, context) => answerIncome(question, context, 'staking'),
    wordings: lines(`
      staking rewards
      staking income
      what did I earn from staking
      mining and airdrop income`),
  },
  {
    id: 'withheld',
    example: 'How much tax was withheld in {year}?',
    years: 'all',
    answer: (question, context) => answerIncome(question, context, 'withheld'),
    wordings: lines(`
      how much tax was withheld
      withholding
      taxes withheld`),
  },
  {
    id: 'issues',
    example: 'Is anything missing?',
    years: 'none',
    answer: (_, context) => answerIssues(context),
    wordings: lines(`
      is anything missing
      what is missing
      do I have any open issues
      which issues are open
      are there problems with my books
      what needs my attention
      anything wrong with my data
      what should I fix or review
      what needs fixing
      errors and warnings
      missing cost basis
      incomplete`),
  },
  {
    id: 'explained',
    example: 'Could every row be explained?',
    years: 'none',
    answer: (_, context) => answerExplained(context),
    wordings: lines(`
      could every row be explained
      are my books complete
      is everything explained`),
  },
  {
    id: 'activeYears',
    example: 'Which years are in my books?',
    years: 'none',
    answer: (_, context) => answerYears(context),
    wordings: lines(`
      which years are in my books
      which years
      what years are covered`),
  },
  {
    id: 'assetsKnown',
    example: 'Which assets are in my books?',
    years: 'none',
    answer: (_, context) => answerAssets(context),
    wordings: lines(`
      which assets are in my books
      which assets have I traded
      list all assets`),
  },
  {
    id: 'contracts1256',
    example: 'What were my section 1256 contracts in {year}?',
    years: 'all',
    answer: answerContracts,
    wordings: lines(`
      section 1256 contracts
      form 6781
      gains on futures
      index options result`),
  },
];

import { to } from '../../api/page-url.ts';
import { day } from '../../format/dates.ts';
import { typeName } from '../../format/words.ts';
import { Money, Price, Quantity } from '../amount.tsx';
import type { ExplainedSource } from './explanation.ts';

/** The source rows behind an entry. */
export function SourceRows({ sources }: { readonly sources: readonly ExplainedSource[] }) {
  return (
    <ul class="source-rows">
      {sources.map((source) => (
        <li key={`${source.role} ${source.transactionId}`}>
          <h4>
            <span>{roleNames[source.role]}</span>
            <a href={to('/transactions', { ids: source.transactionId })}>Open transaction</a>
          </h4>
          <p>
            {day(source.day)}, {typeName(source.type)}
            {source.quantity !== null && (
              <>
                {' '}
                <Quantity amount={source.quantity} />
              </>
            )}{' '}
            {source.asset}
            <Amounts source={source} />, {source.account}
          </p>
          <Origin source={source} />
          {source.prices.map((price) => (
            <p key={`${price.figure} ${price.asset}`} class="fine">
              Valued at the {price.asset} price on {day(price.date)}: <Price amount={price.usd} />, from{' '}
              {price.source === 'own' ? 'your prices' : price.source}.
            </p>
          ))}
          {source.answers.map((answer, at) => (
            <p key={at} class="fine">
              Your answer: {answerNames[answer.action]}
              {answer.note !== '' && `, “${answer.note}”`}.
            </p>
          ))}
        </li>
      ))}
    </ul>
  );
}

function Amounts({ source: { amount, fee, currency } }: { readonly source: ExplainedSource }) {
  const isDollars = currency === 'USD' || currency === '';
  return (
    <>
      {amount !== null && (
        <> for {isDollars ? <Money amount={amount} /> : <span class="amount">{`${amount} ${currency}`}</span>}</>
      )}
      {fee !== null && (
        <>, fee {isDollars ? <Money amount={fee} /> : <span class="amount">{`${fee} ${currency}`}</span>}</>
      )}
    </>
  );
}

/** The file and the line, with its text. */
function Origin({ source: { file, line, raw, corrected } }: { readonly source: ExplainedSource }) {
  if (file === null) return <p class="fine">Entered manually.</p>;
  return (
    <>
      <p class="fine">
        {file}
        {line !== null && `, line ${line}`}
        {corrected && '. You corrected this row: the correction counts, not this text.'}
      </p>
      {raw !== null && <pre class="raw amount">{raw}</pre>}
    </>
  );
}

const roleNames: Readonly<Record<ExplainedSource['role'], string>> = {
  disposal: 'The sale',
  lot: 'The purchase of the lot',
  change: 'A change to the lot',
  option: 'The option that was exercised or assigned',
  short: 'The short sale',
  denied: 'The sale whose loss was added to the basis',
  replacement: 'The purchase that disallows the loss',
};

const answerNames: Readonly<Record<ExplainedSource['answers'][number]['action'], string>> = {
  basis: 'the cost',
  pair: 'transfer',
  value: 'the value',
};

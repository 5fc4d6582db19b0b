import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { isZero } from '../../format/amounts.ts';
import { acquiredDay, day } from '../../format/dates.ts';
import { termName } from '../../format/terms.ts';
import { Money, Quantity } from '../../parts/amount.tsx';
import { HelpTerm } from '../../parts/help-term.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { SortHead } from '../../parts/sort-head.tsx';
import { buildLinesQuery, type FormLine, type LinesPageResponse, readLinesPage, useLinesAddress } from './filter.ts';
import { type LinePages, pageSize } from './line-pages.ts';

/**
 * The entries that match the URL. Each page of the list loads separately, so that all pages reload when the books
 * change.
 */
export function LinesTable({ first, pages }: { readonly first: LinesPageResponse; readonly pages: LinePages }) {
  const requestKey = JSON.stringify(buildLinesQuery(useLinesAddress()));
  return (
    <>
      <Scroll label="Form 8949 entries">
        <table class="lines">
          <thead>
            <tr>
              <SortHead {...sorting} name="asset">
                Property
              </SortHead>
              <SortHead {...sorting} name="acquired" isSpare>
                Acquired
              </SortHead>
              <SortHead {...sorting} name="date">
                Sold
              </SortHead>
              <SortHead {...sorting} name="proceeds" isNumber isSpare>
                Proceeds
              </SortHead>
              <SortHead {...sorting} name="basis" isNumber isSpare>
                Cost basis
              </SortHead>
              <SortHead {...sorting} name="adjustment" isNumber isSpare>
                Adjustment
              </SortHead>
              <SortHead {...sorting} name="gain" isNumber>
                Gain
              </SortHead>
            </tr>
          </thead>
          <LineRows lines={first.data} />
          {pages.cursors.map((cursor) => (
            <NextLines key={`${requestKey} ${cursor}`} asked={requestKey} cursor={cursor} onRead={pages.onRead} />
          ))}
        </table>
      </Scroll>
      {pages.following !== null && (
        <button type="button" onClick={pages.showMore}>
          Show {pageSize} more
        </button>
      )}
    </>
  );
}

const sorting = { path: '/forms/8949', usual: 'date' };

interface NextLinesProps {
  readonly asked: string;
  readonly cursor: string;
  readonly onRead: LinePages['onRead'];
}

function NextLines({ asked, cursor, onRead }: NextLinesProps) {
  const address = useLinesAddress();
  const { data, problem } = useResource(`lines ${asked} ${cursor}`, () => readLinesPage(address, pageSize, cursor));
  useEffect(() => {
    if (data !== undefined) onRead(cursor, data);
  }, [data]);
  if (data !== undefined) return <LineRows lines={data.data} />;
  return (
    <tbody>
      <tr>
        <td colSpan={7}>{problem === null ? 'Loading…' : <ProblemNotice problem={problem} />}</td>
      </tr>
    </tbody>
  );
}

function LineRows({ lines }: { readonly lines: readonly FormLine[] }) {
  const { query } = useLocation();
  return (
    <tbody>
      {lines.map((line) => (
        <tr key={line.id} aria-current={query.line === line.id ? 'true' : undefined}>
          <th scope="row">
            <a href={to('/forms/8949', { ...query, line: line.id })} id={`line-${line.id}`}>
              <Quantity amount={line.quantity} /> {line.asset}
            </a>
            <p class="fine">
              {line.assetName !== undefined && `${line.assetName}, `}
              {line.account}
            </p>
            {line.basisUnknown && <span class="badge">cost unknown</span>}
          </th>
          <td class="spare">
            <span class="whole">{acquiredDay(line.acquired)}</span>
          </td>
          <td>
            <span class="whole">{day(line.sold)}</span>
          </td>
          <td class="number spare">
            <Money amount={line.proceeds} />
          </td>
          <td class="number spare">
            {line.basisUnknown ? <span class="warning">Missing</span> : <Money amount={line.basis} />}
          </td>
          <td class="number spare">
            {!isZero(line.adjustment) && <Money amount={line.adjustment} />}
            {line.code !== '' && (
              <p class="fine">
                <HelpTerm entry="adjustment-codes">code {line.code}</HelpTerm>
              </p>
            )}
          </td>
          <td class="number">
            <Money amount={line.gain} signed />
            <p class="fine">
              {line.shortSale && 'short sale, '}
              {termName(line.term)}, box {line.box}
            </p>
          </td>
        </tr>
      ))}
    </tbody>
  );
}

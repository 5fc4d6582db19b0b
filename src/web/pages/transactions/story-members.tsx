import { assetClasses } from '../../../engine/statement-values.ts';
import type { LotbookMember } from '../../../formats/lotbook-columns.ts';
import { quantity } from '../../format/amounts.ts';
import { classNames } from '../../format/asset-classes.ts';
import { day, utcMoment } from '../../format/dates.ts';
import { allMembers, kindOf, memberNames } from '../../format/member-names.ts';
import { formatSentenceCase, typeName, words } from '../../format/words.ts';
import { Quantity } from '../../parts/amount.tsx';
import type { TransactionStory } from './filter.ts';
import { StatedAmount } from './list-row.tsx';

/** The fields of a transaction with their values. */
export function StoryMembers({ story }: { readonly story: TransactionStory }) {
  const members: Readonly<Record<string, unknown>> = { ...story, externalId: story.source.externalId };
  const names: Readonly<Record<string, string | undefined>> = { ...story.statedNames };
  const stated = allMembers.flatMap((member) => {
    const value = members[member];
    const isSaid = typeof value === 'string' && value !== '' && !(member === 'currency' && value === 'USD');
    return isSaid ? [{ member, value }] : [];
  });
  return (
    <dl class="facts">
      {stated.map(({ member, value }) => (
        <div key={member} class={member === 'note' ? 'whole-line' : ''}>
          <dt>{memberNames[member].label}</dt>
          <dd>
            {member === 'date' ? (
              <RowDate date={value} taxDay={story.day} />
            ) : (
              <MemberText member={member} value={value} currency={story.currency} />
            )}
            {member === 'asset' && story.assetName !== undefined && (
              <span class="fine asset-name">{story.assetName}</span>
            )}
            {names[member] !== undefined && <span class="fine"> (named {names[member]} in its row)</span>}
          </dd>
        </div>
      ))}
      {story.prices.map(({ figure, asset, date, usd, source }) => (
        <div key={`${figure} ${asset} ${date}`}>
          <dt>Price used for {words(figure)}</dt>
          <dd>
            <StatedAmount amount={usd} currency="USD" /> a {asset} on {day(date)},{' '}
            {source === 'own' ? 'from your prices' : source}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The tax day in the taxpayer's time zone, with the exact time. */
function RowDate({ date, taxDay }: { readonly date: string; readonly taxDay: string }) {
  if (!date.includes('T')) return <>{day(taxDay)}</>;
  return (
    <>
      {day(taxDay)} <span class="fine">({utcMoment(date)})</span>
    </>
  );
}

interface MemberTextProps {
  readonly member: LotbookMember;
  readonly value: string;
  readonly currency: string;
}

function MemberText({ member, value, currency }: MemberTextProps) {
  const kind = kindOf(member);
  if (kind === 'money') return <StatedAmount amount={value} currency={currency} />;
  if (kind === 'quantity') return <Quantity amount={value} />;
  if (kind === 'day' || kind === 'instant') return <>{value.includes('T') ? utcMoment(value) : day(value)}</>;
  if (kind === 'type') return <>{typeName(value)}</>;
  if (kind === 'class') return <>{formatClass(value)}</>;
  if (kind === 'right') return <>{formatSentenceCase(value)}</>;
  if (kind === 'term') return <>{value}-term</>;
  return <>{value}</>;
}

function formatClass(value: string): string {
  const assetClass = assetClasses.find((each) => each === value);
  return assetClass === undefined ? formatSentenceCase(value) : classNames[assetClass];
}

/** Returns a field's value for a sentence in the edit history. */
export function plainText(member: string, value: string): string {
  if (value === '') return 'nothing';
  const known = allMembers.find((each) => each === member);
  const kind = known === undefined ? 'name' : kindOf(known);
  if (kind === 'money' || kind === 'quantity') return quantity(value);
  if (kind === 'type') return typeName(value);
  if (kind === 'class') return formatClass(value);
  if (kind === 'term') return `${value}-term`;
  if (kind === 'day' || kind === 'instant') return value.includes('T') ? utcMoment(value) : day(value);
  return `“${value}”`;
}

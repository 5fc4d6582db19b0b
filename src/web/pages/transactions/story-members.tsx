import type { LotbookMember } from '../../../formats/lotbook-columns.ts';
import { quantity } from '../../format/amounts.ts';
import { day, moment } from '../../format/dates.ts';
import { allMembers, kindOf, memberNames } from '../../format/member-names.ts';
import { titled, words } from '../../format/words.ts';
import { Quantity } from '../../parts/amount.tsx';
import type { TransactionStory } from './filter.ts';
import { Stated } from './list-row.tsx';

/** What a transaction states, each member by its name. */
export function StoryMembers({ story }: { readonly story: TransactionStory }) {
  const members: Readonly<Record<string, unknown>> = { ...story, externalId: story.source.externalId };
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
            <MemberText member={member} value={value} currency={story.currency} />
          </dd>
        </div>
      ))}
      {story.prices.map(({ figure, asset, date, usd, source }) => (
        <div key={`${figure} ${asset} ${date}`}>
          <dt>Price used for the {words(figure)}</dt>
          <dd>
            <Stated amount={usd} currency="USD" /> a {asset} on {day(date)},{' '}
            {source === 'own' ? 'from your prices' : source}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface MemberTextProps {
  readonly member: LotbookMember;
  readonly value: string;
  readonly currency: string;
}

function MemberText({ member, value, currency }: MemberTextProps) {
  const kind = kindOf(member);
  if (kind === 'money') return <Stated amount={value} currency={currency} />;
  if (kind === 'quantity') return <Quantity amount={value} />;
  if (kind === 'day' || kind === 'instant') return <>{value.includes('T') ? moment(value) : day(value)}</>;
  if (kind === 'type' || kind === 'class' || kind === 'right') return <>{titled(value)}</>;
  if (kind === 'term') return <>{value}-term</>;
  return <>{value}</>;
}

/** The text of a member where it is one of a sentence: in the history of changes. */
export function plainText(member: string, value: string): string {
  if (value === '') return 'nothing';
  const known = allMembers.find((each) => each === member);
  const kind = known === undefined ? 'name' : kindOf(known);
  if (kind === 'money' || kind === 'quantity') return quantity(value);
  if (kind === 'type' || kind === 'class') return titled(value);
  return kind === 'day' || kind === 'instant' ? value : `“${value}”`;
}

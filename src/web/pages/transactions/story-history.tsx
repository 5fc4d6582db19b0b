import { moment } from '../../format/dates.ts';
import { allMembers, memberNames } from '../../format/member-names.ts';
import { Icon } from '../../parts/icon.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { say, sayProblem } from '../../parts/toasts.tsx';
import { undoEdit } from './edits.ts';
import type { TransactionStory } from './filter.ts';
import { plainText } from './story-members.tsx';

/** The edit history, newest first, with an undo for each edit. */
export function StoryHistory({ story: { history } }: { readonly story: TransactionStory }) {
  if (history.length === 0) return null;
  return (
    <section>
      <h3>Edit history</h3>
      <ul class="bare-list">
        {history.toReversed().map(({ editId, action, at, undoneAt, members }) => (
          <li key={editId} class="edit">
            <div>
              <strong>{actionNames[action]}</strong> <span class="fine">{moment(at)}</span>
              {undoneAt === null ? (
                <ul class="fine">
                  {members.map(({ member, before, now }) => (
                    <li key={member}>
                      {formatMemberLabel(member)}: from {plainText(member, before)} to {plainText(member, now)}
                    </li>
                  ))}
                </ul>
              ) : (
                <p class="fine">Undone {moment(undoneAt)}.</p>
              )}
            </div>
            {undoneAt === null && (
              <OwnBooks>
                <button type="button" onClick={() => undone(editId)}>
                  <Icon name="undo" /> Undo
                </button>
              </OwnBooks>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const actionNames = { change: 'Changed', delete: 'Deleted', revert: 'Reverted to original' } as const;

function formatMemberLabel(member: string): string {
  const known = allMembers.find((each) => each === member);
  return known === undefined ? member : memberNames[known].label;
}

function undone(editId: string): void {
  // The button disappears, so the focus moves to the title of the panel.
  const title = document.querySelector<HTMLElement>('.drawer h2');
  undoEdit(editId).then(() => {
    title?.focus();
    say('Undone.');
  }, sayProblem);
}

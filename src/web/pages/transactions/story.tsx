import { to } from '../../api/page-url.ts';
import { useResource } from '../../api/resource.ts';
import { withDays } from '../../format/dates.ts';
import { formatSentenceCase, typeName } from '../../format/words.ts';
import { Drawer } from '../../parts/drawer.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Notice } from '../../parts/notice.tsx';
import { OwnBooks } from '../../parts/own-books.tsx';
import { ResourceView } from '../../parts/resource-view.tsx';
import { sayProblem } from '../../parts/toasts.tsx';
import { kindNames } from '../review/kind-names.ts';
import { deleteTransaction, revertTransaction } from './edits.ts';
import { readStory, type TransactionStory } from './filter.ts';
import { formatUnits } from './list-row.tsx';
import { StoryEffects } from './story-effects.tsx';
import { StoryHistory } from './story-history.tsx';
import { StoryMembers } from './story-members.tsx';
import { StorySource } from './story-source.tsx';
import { TransactionForm } from './transaction-form.tsx';

interface StoryDrawerProps {
  readonly id: string;
  readonly isEditing: boolean;
  readonly onEdit: (isEditing: boolean) => void;
  readonly onClose: () => void;
}

/** The details of a transaction: its values, source, effects and edits. */
export function StoryDrawer({ id, isEditing, onEdit, onClose }: StoryDrawerProps) {
  const reading = useResource(`transaction ${id}`, () => readStory(id));
  const story = reading.data;
  const title = story === undefined ? 'Transaction' : `${typeName(story.type)} ${formatUnits(story)}`;
  return (
    <Drawer title={title} label={title} shows={isEditing && story !== undefined ? 'form' : 'story'} onClose={onClose}>
      <ResourceView reading={reading}>
        {(data) =>
          isEditing ? (
            <TransactionForm story={data} onDone={onClose} onCancel={() => onEdit(false)} />
          ) : (
            <Story story={data} onEdit={() => onEdit(true)} onClose={onClose} />
          )
        }
      </ResourceView>
    </Drawer>
  );
}

interface StoryProps {
  readonly story: TransactionStory;
  readonly onEdit: () => void;
  readonly onClose: () => void;
}

function Story({ story, onEdit, onClose }: StoryProps) {
  return (
    <div class="story">
      {story.review.map(({ kind, detail }) => (
        <Notice key={`${kind} ${detail}`}>
          <p>
            <strong>{nameOfReview(kind)}.</strong> {withDays(detail)}
          </p>
          {Object.hasOwn(kindNames, kind) && (
            <p>
              <a href={to('/review', { years: 'all', kind })}>Resolve under Review</a>
            </p>
          )}
        </Notice>
      ))}
      <StoryMembers story={story} />
      <OwnBooks>
        <p class="actions">
          <button type="button" onClick={onEdit}>
            <Icon name="edit" /> Edit
          </button>
          {story.corrected && story.source.importId !== null && (
            <button type="button" onClick={() => revertTransaction(story.id).then(onClose, sayProblem)}>
              <Icon name="undo" /> Revert to original
            </button>
          )}
          <button type="button" class="danger" onClick={() => deleteTransaction(story.id).then(onClose, sayProblem)}>
            <Icon name="remove" /> Delete
          </button>
        </p>
      </OwnBooks>
      <StorySource story={story} />
      <StoryEffects story={story} />
      <StoryHistory story={story} />
    </div>
  );
}

function nameOfReview(kind: string): string {
  return (kindNames as Readonly<Record<string, string>>)[kind] ?? formatSentenceCase(kind);
}

import { useState } from 'preact/hooks';
import type { IssueKind } from '../../../engine/model.ts';
import { useDraft } from '../../api/draft.ts';
import { formatCount } from '../../format/amounts.ts';
import { Choice } from '../../parts/field.tsx';
import { FormActions } from '../../parts/form-actions.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { say } from '../../parts/toasts.tsx';
import { useAction } from '../../parts/use-action.ts';
import { type PreviewedYear, YearsPreview } from '../../parts/years-preview.tsx';
import { type BatchResolution, type IssueFilter, previewBatch, resolveBatch } from './issues.ts';
import { kindNames } from './kind-names.ts';
import { NoteField } from './note-field.tsx';

interface BatchCardProps {
  readonly kind: IssueKind;
  readonly filter: IssueFilter;
  /** The number of open items. */
  readonly count: number;
}

type BatchWord = keyof typeof words;

const words = {
  pair: 'Match each with its only possible other side',
  replace: 'The newer file is right: replace the rows',
  add: 'Both are right: keep both',
  stock: 'They are securities',
  crypto: 'They are crypto',
  accept: 'Keep them anyway',
} as const;

/** Answers that can apply to all items of a kind. Other items are resolved one at a time. */
const wordsOf: Partial<Record<IssueKind, readonly BatchWord[]>> = {
  transfer_unpaired: ['pair', 'accept'],
  row_differs: ['replace', 'add', 'accept'],
  class_unknown: ['stock', 'crypto', 'accept'],
};

/** One answer for all open items of a kind, with a preview and an undo for all of them. */
export function BatchCard({ kind, filter, count }: BatchCardProps) {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen) {
    return (
      <p class="actions">
        <button type="button" onClick={() => setOpen(true)}>
          Resolve all {formatCount(count, 'item')}
        </button>
      </p>
    );
  }
  return <BatchForm {...{ kind, filter, count }} onClose={() => setOpen(false)} />;
}

function BatchForm({ kind, filter, count, onClose }: BatchCardProps & { readonly onClose: () => void }) {
  const offered = wordsOf[kind] ?? ['accept'];
  const [draft, setDraft, forget] = useDraft(`answers to all ${kind}`, { word: offered[0] ?? 'accept', note: '' });
  const [tried, setTried] = useState<readonly PreviewedYear[] | null>(null);
  const { act, problem, isBusy } = useAction();
  const word = offered.find((each) => each === draft.word) ?? 'accept';
  const resolution = buildBatchResolution(word, draft.note);
  const change = (changed: Partial<typeof draft>) => {
    setTried(null);
    setDraft(changed);
  };
  const give = async () => {
    const { resolved, undo } = await resolveBatch({ ...filter, kind }, resolution);
    forget();
    say(`Resolved ${formatCount(resolved, 'item')}.`, undo);
    onClose();
  };
  return (
    <section class="card" aria-label={`All items: ${kindNames[kind]}`}>
      <h2>
        {kindNames[kind]}: {formatCount(count, 'item')}
      </h2>
      <form
        class="answer"
        onSubmit={(event) => {
          event.preventDefault();
          const look = async () => setTried(await previewBatch({ ...filter, kind }, resolution));
          void act(tried === null ? look : give);
        }}
      >
        {problem !== null && <ProblemNotice problem={problem} />}
        <div class="fields">
          {offered.length > 1 && (
            <Choice
              label="Answer"
              value={word}
              options={offered.map((value) => ({ value, label: words[value] }))}
              onChange={(chosen) => change({ word: chosen })}
            />
          )}
          <NoteField isReason={word === 'accept'} value={draft.note} onInput={(note) => change({ note })} />
        </div>
        {tried !== null && (
          <div role="status">
            <YearsPreview years={tried} />
          </div>
        )}
        <FormActions
          verb={tried === null ? 'Preview' : `Save ${formatCount(count, 'answer')}`}
          isBusy={isBusy}
          onClose={onClose}
          keeps={tried !== null}
        />
      </form>
    </section>
  );
}

function buildBatchResolution(word: BatchWord, note: string): BatchResolution {
  const noted = note === '' ? {} : { note };
  if (word === 'stock' || word === 'crypto') return { action: 'class', assetClass: word, ...noted };
  return { action: word, ...noted };
}

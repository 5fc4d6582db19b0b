import { useRef } from 'preact/hooks';
import { forgetRecalled, type RecalledUpload, recalledUploads } from '../../api/kept-uploads.ts';
import { clientId, to } from '../../api/page-url.ts';
import { addAgain } from '../../api/uploads.ts';
import { bytes } from '../../format/bytes.ts';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { ImportCounts, ImportNotes } from './import-facts.tsx';
import { StoringLine } from './storing-line.tsx';

/**
 * Uploads that were in progress when the page was closed or reloaded. Some are still running, and for others the user
 * must select the file again.
 */
export function RecalledUploads() {
  const uploads = recalledUploads.value.filter(({ client }) => client === clientId.value);
  if (uploads.length === 0) return null;
  return (
    <section aria-label="Earlier">
      {uploads.map((upload) => (
        <RecalledCard key={upload.key} upload={upload} />
      ))}
    </section>
  );
}

function RecalledCard({ upload }: { readonly upload: RecalledUpload }) {
  const { key, name, size, step } = upload;
  const headingId = `recalled-${key}`;
  return (
    <article class={`card upload ${step.name}`} aria-labelledby={headingId}>
      <header>
        <div>
          <h2 id={headingId}>{name}</h2>
          <p class="fine">{bytes(size)}</p>
        </div>
        <p class="state" role="status">
          {step.name === 'done' && <Icon name="check" />}
          {(step.name === 'unsent' || step.name === 'failed') && <Icon name="warning" />}
          {describeStep(step)}
        </p>
      </header>
      {step.name === 'storing' && step.progress !== null && <StoringLine name={name} progress={step.progress} />}
      {step.name === 'failed' && <ProblemNotice problem={step.problem} />}
      {step.name === 'done' && (
        <>
          <ImportCounts result={step.result} />
          <ImportNotes result={step.result} />
        </>
      )}
      {step.name === 'unsent' && <ChooseAgain upload={upload} />}
      {step.name !== 'storing' && (
        <p class="actions">
          {step.name === 'done' && (
            <a class="button" href={to(`/import/${step.result.id}`)}>
              View changes
            </a>
          )}
          <button type="button" class="plain" onClick={() => forgetRecalled(key)}>
            Dismiss
          </button>
        </p>
      )}
    </article>
  );
}

function describeStep(step: RecalledUpload['step']): string {
  switch (step.name) {
    case 'unsent':
      return 'Not imported';
    case 'storing':
      return step.progress?.isLost ? "You're offline. We'll reconnect automatically." : 'Saving';
    case 'done':
      return 'Imported';
    default:
      return 'Not imported';
  }
}

function ChooseAgain({ upload }: { readonly upload: RecalledUpload }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <p>The upload was interrupted. Select the file again; nothing will be imported twice.</p>
      <p class="actions">
        <button type="button" class="primary" onClick={() => input.current?.click()}>
          Select {upload.name} again
        </button>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={`${upload.name}, to upload again`}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file !== undefined) addAgain(upload, file);
          }}
        />
      </p>
    </>
  );
}

import { useState } from 'preact/hooks';
import { to } from '../../api/page-url.ts';
import type { ImportedFile } from '../../api/upload-request.ts';
import { type FileUpload, removeUpload, sendAgain } from '../../api/uploads.ts';
import { Field } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ImportCounts, ImportedTransactions, useFormatName } from './import-facts.tsx';
import { PreviewView } from './preview-view.tsx';

interface FilePreviewProps {
  readonly upload: FileUpload;
  readonly result: ImportedFile;
}

/** The preview of a file before it is imported. */
export function FilePreview({ upload: { id, options }, result }: FilePreviewProps) {
  const source = useFormatName(result.format);
  const [account, setAccount] = useState(options.account ?? '');
  const accountName = account.trim();
  const { account: _before, ...others } = options;
  const chosen = accountName === '' ? others : { ...others, account: accountName };
  const planLimit = result.preview?.planLimit ?? null;
  const isPreview = accountName !== (options.account ?? '') || planLimit !== null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        sendAgain(id, chosen, isPreview);
      }}
    >
      {planLimit !== null && (
        <div class="notice">
          <Icon name="warning" />
          <p>
            <strong>Preview only.</strong> {planLimit}
          </p>
        </div>
      )}
      <p>
        Read as <strong>{source}</strong>: <ImportedTransactions result={result} />
      </p>
      <ImportCounts result={result} />
      <PreviewView result={result} />
      <div class="fields">
        <Field
          label="Account for rows without one"
          value={account}
          onInput={setAccount}
          hint="Defaults to the broker's name."
        />
      </div>
      <p class="actions">
        {planLimit !== null && (
          <a class="button primary" href={to('/account/plan')}>
            See plans
          </a>
        )}
        <button type="submit" class={planLimit === null ? 'primary' : ''}>
          {isPreview ? 'Preview again' : 'Import'}
        </button>
        <button type="button" class="plain" onClick={() => removeUpload(id)}>
          {planLimit === null ? "Don't import" : 'Dismiss'}
        </button>
      </p>
    </form>
  );
}

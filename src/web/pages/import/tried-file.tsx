import { useState } from 'preact/hooks';
import type { ImportedFile } from '../../api/upload-request.ts';
import { type FileUpload, removeUpload, sendAgain } from '../../api/uploads.ts';
import { Field } from '../../parts/field.tsx';
import { ImportCounts, useFormatName } from './import-facts.tsx';
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
  const isChanged = accountName !== (options.account ?? '');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        sendAgain(id, chosen, isChanged);
      }}
    >
      <p>
        Read as <strong>{source}</strong>
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
        <button type="submit" class="primary">
          {isChanged ? 'Preview again' : 'Import'}
        </button>
        <button type="button" class="plain" onClick={() => removeUpload(id)}>
          Don't import
        </button>
      </p>
    </form>
  );
}

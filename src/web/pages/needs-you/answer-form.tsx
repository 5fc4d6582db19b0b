import { useState } from 'preact/hooks';
import type { AssetClass } from '../../../engine/model.ts';
import { isElsewhere } from '../../../features/issues/proposal.ts';
import { useDraft } from '../../api/draft.ts';
import { type Problem, toProblem } from '../../api/problem.ts';
import { classNames } from '../../format/asset-classes.ts';
import { day, withDays } from '../../format/dates.ts';
import { parseDiscounts } from '../../format/discounts.ts';
import { Choice, Field } from '../../parts/field.tsx';
import { FormActions } from '../../parts/form-actions.tsx';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { say } from '../../parts/toasts.tsx';
import { type TriedYear, YearsPreview } from '../../parts/years-preview.tsx';
import {
  givePrice,
  type IssueProposal,
  type IssueResolution,
  type OpenIssue,
  resolveIssue,
  tryResolution,
} from './issues.ts';

interface AnswerFormProps {
  readonly issue: OpenIssue;
  readonly proposal: IssueProposal;
  readonly onClose: () => void;
}

const empty = { basis: '', acquired: '', amount: '', price: '', assetClass: '', discounts: '', note: '' };
type ResolutionFields = typeof empty;

/** Requests the answer, previews the tax years, and then saves it. */
export function AnswerForm({ issue, proposal, onClose }: AnswerFormProps) {
  const [fields, setFields, forget] = useDraft(`answer ${issue.id} ${proposal.action} ${proposal.with ?? ''}`, {
    ...empty,
    assetClass: proposal.assetClass ?? '',
  });
  const [tried, setTried] = useState<readonly TriedYear[] | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const change = (given: Partial<ResolutionFields>) => {
    setTried(null);
    setFields(given);
  };
  async function doing(act: () => Promise<void>): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      await act();
    } catch (error) {
      setProblem(toProblem(error));
    }
    setBusy(false);
  }
  const resolution = buildResolution(proposal, fields);
  const give = async () => {
    if (resolution === null) {
      await givePrice(proposal.asset ?? '', proposal.date ?? '', fields.price);
      say(
        `Saved the price of ${proposal.asset} on ${day(proposal.date ?? '')}. You can change it under Settings, Prices.`,
      );
    } else say('Resolved.', await resolveIssue(issue.id, resolution));
    forget();
  };
  return (
    <form
      class="answer"
      onSubmit={(event) => {
        event.preventDefault();
        const look = async () => setTried(resolution === null ? null : await tryResolution(issue.id, resolution));
        void doing(tried === null && resolution !== null ? look : give);
      }}
    >
      <p>{withDays(proposal.detail)}</p>
      {problem !== null && <ProblemNotice problem={problem} />}
      <AnswerInputs proposal={proposal} issue={issue} fields={fields} onChange={change} />
      {tried !== null && (
        <div role="status">
          <YearsPreview years={tried} />
        </div>
      )}
      <FormActions
        verb={tried === null && resolution !== null ? 'Preview' : 'Save'}
        isBusy={isBusy}
        onClose={onClose}
        keeps={tried !== null || resolution === null}
      />
    </form>
  );
}

interface AnswerInputsProps {
  readonly proposal: IssueProposal;
  readonly issue: OpenIssue;
  readonly fields: ResolutionFields;
  readonly onChange: (given: Partial<ResolutionFields>) => void;
}

function AnswerInputs({ proposal: { action, asset }, issue, fields, onChange }: AnswerInputsProps) {
  const isGift = issue.kind === 'gift_incomplete';
  return (
    <div class="fields">
      {action === 'basis' && (
        <>
          <Field
            label={isGift ? "Donor's cost basis, in dollars" : 'Cost basis, in dollars'}
            type="money"
            isRequired
            value={fields.basis}
            onInput={(basis) => onChange({ basis })}
            hint="Total for all units, including fees."
          />
          <Field
            label={isGift ? 'Date acquired by the donor' : 'Date acquired'}
            type="date"
            value={fields.acquired}
            onInput={(acquired) => onChange({ acquired })}
          />
        </>
      )}
      {(action === 'value' || (action === 'basis' && isGift)) && (
        <Field
          label={labelOfValue(issue.kind)}
          type="money"
          isRequired={action === 'value'}
          value={fields.amount}
          onInput={(amount) => onChange({ amount })}
        />
      )}
      {action === 'add' && issue.kind === 'discount_unknown' && (
        <Field
          label="Original issue discount by year, in dollars"
          isRequired
          value={fields.discounts}
          onInput={(discounts) => onChange({ discounts })}
          hint="Each year with its amount, like 2022: 40.00, 2023: 41.50"
        />
      )}
      {action === 'price' && (
        <Field
          label={`Price of one ${asset}, in dollars`}
          type="money"
          isRequired
          value={fields.price}
          onInput={(price) => onChange({ price })}
        />
      )}
      {action === 'class' && (
        <Choice
          label="Asset class"
          value={fields.assetClass}
          options={classes}
          onChange={(assetClass) => onChange({ assetClass })}
        />
      )}
      {action !== 'price' && (
        <Field
          label={action === 'accept' ? 'Reason' : 'Note (optional)'}
          isRequired={action === 'accept'}
          value={fields.note}
          onInput={(note) => onChange({ note })}
          hint="Saved with the item, for you or your preparer."
        />
      )}
    </div>
  );
}

function labelOfValue(kind: OpenIssue['kind']): string {
  if (kind === 'gift_incomplete') return 'Value on the day of the gift, in dollars';
  return kind === 'discount_unknown' ? 'Accrued market discount, in dollars' : 'Value, in dollars';
}

/**
 * Returns null for answers that do not go through POST …/resolve: prices, time zones (`ZoneAnswer`) and names
 * (`FormNameAnswer`).
 */
function buildResolution({ action, ...proposed }: IssueProposal, fields: ResolutionFields): IssueResolution | null {
  if (isElsewhere(action)) return null;
  const { basis, acquired, amount, assetClass, discounts, note } = fields;
  const stated = Object.entries({ basis, acquired, amount }).filter(([, text]) => text !== '');
  const { quantity, with: other, collectible } = proposed;
  return {
    action,
    ...Object.fromEntries(stated),
    ...(note === '' ? {} : { note }),
    ...(action === 'basis' && quantity !== undefined ? { quantity } : {}),
    ...(action === 'pair' && other !== undefined ? { with: other } : {}),
    ...(action === 'class' && isAssetClass(assetClass) ? { assetClass } : {}),
    ...(action === 'add' && discounts !== '' ? { discounts: parseDiscounts(discounts) } : {}),
    ...(action === 'class' && collectible !== undefined ? { collectible } : {}),
  };
}

const classes = [
  { value: '', label: 'Choose' },
  ...Object.entries(classNames).map(([value, label]) => ({ value, label })),
];

function isAssetClass(text: string): text is AssetClass {
  return Object.hasOwn(classNames, text);
}

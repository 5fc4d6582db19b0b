import { t } from 'elysia';
import { closed } from '../../../../http/schemas.ts';
import { changedYears } from '../../books/books.schemas.ts';
import { ReadingDifferences } from '../changes/changes.schemas.ts';
import { Import } from '../imports.schemas.ts';
import { importQuery } from '../options.ts';

const { format, account, timeZone, dateOrder, side } = importQuery;

export const RereadBody = closed(
  {
    apply: t.Optional(
      t.Boolean({
        description: 'Set to true to replace the import with the new version. Otherwise, nothing is saved.',
      }),
    ),
    format,
    account,
    timeZone,
    dateOrder,
    side,
  },
  { title: 'RereadChanges', examples: [{ apply: false }] },
);

export const RereadResult = closed(
  {
    applied: t.Boolean(),
    import: Import,
    changes: ReadingDifferences,
    years: changedYears,
  },
  { title: 'RereadResult' },
);

import { t } from 'elysia';
import { closed } from '../../../http/schemas.ts';
import { YearChange } from '../../books/schemas.ts';
import { ReadingChanges } from '../changes/schemas.ts';
import { importQuery } from '../options.ts';
import { Import } from '../schemas.ts';

const { format, account, timeZone, dateOrder, side } = importQuery;

export const RereadGiven = closed(
  {
    apply: t.Optional(
      t.Boolean({
        description: 'Set to true to replace the import with the new reading. Without it, nothing is saved.',
      }),
    ),
    format,
    account,
    timeZone,
    dateOrder,
    side,
  },
  { title: 'Rereading', examples: [{ apply: false }] },
);

export const Reread = closed(
  {
    applied: t.Boolean(),
    import: Import,
    changes: ReadingChanges,
    years: t.Array(YearChange, { description: 'The tax years that change.' }),
  },
  { title: 'Reread' },
);

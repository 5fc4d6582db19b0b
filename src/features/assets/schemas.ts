import { t } from 'elysia';
import { classReasons } from '../../engine/events/classes.ts';
import { assetClasses } from '../../engine/model.ts';
import { closed, day, nullable, oneOf } from '../../http/schemas.ts';
import { StatedAsset } from '../settings/document.ts';

export const AssetItem = closed(
  {
    asset: t.String({ description: 'Its name in the books.' }),
    assetClass: oneOf(assetClasses),
    why: oneOf(
      classReasons,
      'What the class was resolved from: the taxpayer’s word, the row, the symbol, the setting of the account, the source, the other side of a trade, the other rows of the account, a list of names, or nothing. `unknown`: the name is that of a coin and of a security, or of neither, and an issue asks.',
    ),
    name: nullable(t.String({ description: 'The name of the security, where a file states one.' })),
    collectible: nullable(
      t.Boolean({ description: 'Whether a long-term gain is one on a collectible. null: the taxpayer must say.' }),
    ),
    section1256: t.Boolean({ description: 'Whether gains are of section 1256 (Form 6781).' }),
    accounts: t.Array(t.String()),
    transactions: t.Integer(),
    firstDate: day,
    lastDate: day,
    stated: nullable(StatedAsset),
    otherNames: t.Array(t.String(), {
      description: 'Other names that the settings give it by `sameAs`: rows under them are its rows.',
    }),
  },
  { title: 'Asset' },
);

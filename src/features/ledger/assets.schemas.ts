import { t } from 'elysia';
import { classReasons } from '../../engine/events/classes.ts';
import { assetClasses } from '../../engine/model.ts';
import { closed, day, nullable, oneOf } from '../../http/schemas.ts';
import { AssetSettings } from './settings/document.ts';

export const AssetItem = closed(
  {
    asset: t.String({ description: 'The name of the asset.' }),
    assetClass: oneOf(assetClasses),
    why: oneOf(
      classReasons,
      'The reason for the class: the taxpayer’s setting, the row, the symbol, the account’s setting, the source, the other side of a trade, the account’s other rows, a list of names, or the default. `unknown` means that the name belongs to both a coin and a security, or to neither. An issue then asks the taxpayer.',
    ),
    name: nullable(
      t.String({
        description: 'The name of the asset: the taxpayer’s own, the one in the newest file, or a common one.',
      }),
    ),
    collectible: nullable(
      t.Boolean({
        description: 'Whether a long-term gain is a collectibles gain. Null if the taxpayer has to decide.',
      }),
    ),
    section1256: t.Boolean({ description: 'Whether its gains are section 1256 gains (Form 6781).' }),
    accounts: t.Array(t.String()),
    transactions: t.Integer(),
    firstDate: day,
    lastDate: day,
    stated: nullable(AssetSettings),
    otherNames: t.Array(t.String(), {
      description:
        'Other names for the asset from `sameAs` settings. Rows with these names count as rows of the asset.',
    }),
  },
  { title: 'Asset' },
);

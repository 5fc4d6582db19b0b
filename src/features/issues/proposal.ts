import type { AssetClass } from '../../engine/model.ts';
import type { ResolutionAction } from './queries.ts';

/** Actions that another operation than POST …/resolve carries out. */
export const elsewhereActions = ['price', 'zone', 'zone_of_import', 'form_name', 'same_asset'] as const;
type ElsewhereAction = (typeof elsewhereActions)[number];

export function isElsewhere<Action extends string>(action: Action | ElsewhereAction): action is ElsewhereAction {
  return elsewhereActions.some((each) => each === action);
}

/** A possible resolution of an issue. A list has the likeliest first. */
export interface Proposal {
  readonly action: ResolutionAction | ElsewhereAction;
  readonly detail: string;
  /** The other leg, for `pair`. */
  readonly with?: string;
  /** Units without basis, for `basis`. */
  readonly quantity?: string;
  /** The price that is missing, for `price`. The name on the form, for `form_name`. The other name, for `same_asset`. */
  readonly asset?: string;
  readonly date?: string;
  /** The import whose file is in another time zone, for `zone_of_import`. */
  readonly importId?: string;
  /** The asset in the transactions that the form means, for `form_name`. Its own name if it means no other. */
  readonly formNameOf?: string;
  /** The security that the other name is a name of, for `same_asset`. */
  readonly sameAs?: string;
  /** What the asset may be, for `class`. */
  readonly assetClass?: AssetClass;
  readonly collectible?: boolean;
}

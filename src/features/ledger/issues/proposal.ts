import type { AssetClass } from '../../../engine/model.ts';
import type { ResolutionAction } from './issues.queries.ts';

/** Actions that are carried out by operations other than POST …/resolve. */
export const elsewhereActions = ['price', 'zone', 'zone_of_import', 'form_name', 'same_asset'] as const;
type ElsewhereAction = (typeof elsewhereActions)[number];

export function isElsewhere<Action extends string>(action: Action | ElsewhereAction): action is ElsewhereAction {
  return elsewhereActions.some((each) => each === action);
}

/** A possible resolution of an issue. Lists of proposals start with the likeliest. */
export interface Proposal {
  readonly action: ResolutionAction | ElsewhereAction;
  readonly detail: string;
  /** The id of the other leg, for `pair`. */
  readonly with?: string;
  /** The number of units without basis, for `basis`. */
  readonly quantity?: string;
  /**
   * The asset whose price is missing for `price`, the name on the form for `form_name`, or the other name for
   * `same_asset`.
   */
  readonly asset?: string;
  readonly date?: string;
  /** The import whose file uses a different time zone, for `zone_of_import`. */
  readonly importId?: string;
  /**
   * For `form_name`: the asset in the transactions that the form refers to, or the form's own name if it refers to no
   * other asset.
   */
  readonly formNameOf?: string;
  /** The security that `asset` is another name for, for `same_asset`. */
  readonly sameAs?: string;
  /** The proposed asset class, for `class`. */
  readonly assetClass?: AssetClass;
  readonly collectible?: boolean;
}

import type { AssetClass } from '../../engine/model.ts';
import type { ResolutionAction } from './queries.ts';

/** Actions that an operation other than POST …/resolve carries out. */
export const elsewhereActions = ['price', 'zone', 'zone_of_import', 'form_name', 'same_asset'] as const;
type ElsewhereAction = (typeof elsewhereActions)[number];

export function isElsewhere<Action extends string>(action: Action | ElsewhereAction): action is ElsewhereAction {
  return elsewhereActions.some((each) => each === action);
}

/** A possible resolution of an issue. Lists start with the likeliest. */
export interface Proposal {
  readonly action: ResolutionAction | ElsewhereAction;
  readonly detail: string;
  /** The other leg, for `pair`. */
  readonly with?: string;
  /** Units without basis, for `basis`. */
  readonly quantity?: string;
  /** The missing price for `price`, the name on the form for `form_name`, or the other name for `same_asset`. */
  readonly asset?: string;
  readonly date?: string;
  /** The import whose file is in a different time zone, for `zone_of_import`. */
  readonly importId?: string;
  /** For `form_name`: the asset in the transactions that the form means, or its own name if it means no other. */
  readonly formNameOf?: string;
  /** The security that the other name belongs to, for `same_asset`. */
  readonly sameAs?: string;
  /** The proposed class, for `class`. */
  readonly assetClass?: AssetClass;
  readonly collectible?: boolean;
}

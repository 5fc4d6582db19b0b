/** The build replaces these with the notices and licenses of all components in the binary. */
export const noticesText: string | null = null;
export const licences: readonly Licence[] | null = null as readonly Licence[] | null;

export interface Licence {
  readonly name: string;
  readonly version: string;
  /** The SPDX name. */
  readonly licence: string;
}

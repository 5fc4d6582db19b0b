/** The build puts the notices and licences of all that the binary holds in the place of these. */
export const noticesText: string | null = null;
export const licences: readonly Licence[] | null = null as readonly Licence[] | null;

export interface Licence {
  readonly name: string;
  readonly version: string;
  /** By its SPDX name. */
  readonly licence: string;
}

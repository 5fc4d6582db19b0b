/** The build replaces these with the notices and licenses of all components in the binary. */
export const noticesText: string | null = null;
export const licenses: readonly License[] | null = null as readonly License[] | null;

export interface License {
  readonly name: string;
  readonly version: string;
  /** The SPDX name. */
  readonly license: string;
}

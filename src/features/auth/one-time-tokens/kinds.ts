import type { Provider } from '../queries.ts';

const hour = 60;
const day = 24 * hour;

interface TokenRule {
  /** Null: the issuer sets it. */
  readonly minutes: number | null;
  /**
   * Bound tokens work only while the security stamp is unchanged and the account is not deleted. The others are the
   * owner's way back, which a thief must not be able to close by changing the password.
   */
  readonly isBound: boolean;
}

/** Every kind of single-use token, with its lifetime. */
export const tokenRules = {
  /** Sets a new password. */
  password_reset: { minutes: 30, isBound: true },
  /** Changes the email address; mailed to the new address. */
  email_change: { minutes: hour, isBound: true },
  /** Cancels or undoes a change of the address; mailed to the previous address. */
  email_undo: { minutes: 7 * day, isBound: false },
  /** Confirms the address of the account. */
  email_verification: { minutes: 3 * day, isBound: true },
  /** Cancels the deletion of an account until it is erased. */
  account_restore: { minutes: null, isBound: false },
  /** Makes a browser known to an account that is under a password attack. */
  sign_in_link: { minutes: 30, isBound: true },
  /** A provider sign-in that still needs the second factor. */
  second_factor: { minutes: 10, isBound: true },
  /** The state of a provider sign-in. With a user, links the provider account to that user. */
  provider_sign_in: { minutes: 10, isBound: true },
  /** The challenge that a passkey signs. With a user, adds the passkey to that account. */
  passkey_challenge: { minutes: 5, isBound: true },
  /** Accepts an invitation. The user is the sender. */
  invitation: { minutes: 14 * day, isBound: true },
} as const satisfies Record<string, TokenRule>;

export type TokenKind = keyof typeof tokenRules;

/** The payload of each kind, in addition to its user. */
export interface TokenPayloads {
  /** False for a link printed by an operator, which does not prove that the user reads the mailbox. */
  readonly password_reset: { readonly isMailed: boolean };
  readonly email_change: { readonly email: string };
  readonly email_undo: {
    /** The previous address, which is restored. */
    readonly email: string;
    /** When the change was requested. Null: when this token was issued. */
    readonly requestedAt: string | null;
  };
  readonly email_verification: { readonly email: string };
  readonly account_restore: Record<never, never>;
  readonly sign_in_link: Record<never, never>;
  readonly second_factor: Record<never, never>;
  readonly provider_sign_in: {
    readonly provider: Provider;
    readonly codeVerifier: string;
    /** The browser's time zone, for an account that the sign-in creates. */
    readonly timeZone: string | null;
  };
  readonly passkey_challenge: Record<never, never>;
  readonly invitation: { readonly invitation: string };
}

/** Part of a payload, to find tokens by. */
export type PayloadPart<Kind extends TokenKind> = { [Each in TokenKind]: Partial<TokenPayloads[Each]> }[Kind];

/** Kinds that can be issued before the user is known. */
export type AnonymousKind = 'provider_sign_in' | 'passkey_challenge';

export function minutesOf<Kind extends TokenKind>(kind: Kind): (typeof tokenRules)[Kind]['minutes'] {
  return tokenRules[kind].minutes;
}

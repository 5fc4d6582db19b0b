import type { Provider } from './auth.queries.ts';

const hour = 60;
const day = 24 * hour;

interface TokenRule {
  /** Null if the code that issues the token sets the lifetime. */
  readonly minutes: number | null;
  /**
   * True if the token works only while the security stamp is unchanged and the account is not deleted. Unbound tokens
   * let the owner back in, so a thief must not be able to disable them by changing the password.
   */
  readonly isBound: boolean;
}

/** The lifetime of each kind of single-use token, and whether the token is bound. */
export const tokenRules = {
  /** Sets a new password. */
  password_reset: { minutes: 30, isBound: true },
  /** Changes the email address. Sent to the new address. */
  email_change: { minutes: hour, isBound: true },
  /** Cancels or undoes a change of the email address. Sent to the previous address. */
  email_undo: { minutes: 7 * day, isBound: false },
  /** Confirms the account's email address. */
  email_verification: { minutes: 3 * day, isBound: true },
  /** Cancels the deletion of an account. Works until the account is erased. */
  account_restore: { minutes: null, isBound: false },
  /** Registers a browser for an account that is under a password attack. */
  sign_in_link: { minutes: 30, isBound: true },
  /** Completes a provider sign-in that still needs the second factor. */
  second_factor: { minutes: 10, isBound: true },
  /** Holds the state of a provider sign-in. If it has a user, the provider account is linked to that user. */
  provider_sign_in: { minutes: 10, isBound: true },
  /** Holds the challenge that a passkey signs. If it has a user, the passkey is added to that user's account. */
  passkey_challenge: { minutes: 5, isBound: true },
  /** Accepts an invitation. The token's user is the sender. */
  invitation: { minutes: 14 * day, isBound: true },
} as const satisfies Record<string, TokenRule>;

export type TokenKind = keyof typeof tokenRules;

/** The payload for each kind of token, in addition to the user. */
export interface TokenPayloads {
  /** False if an operator printed the link, which does not prove that the user reads the mailbox. */
  readonly password_reset: { readonly isMailed: boolean };
  readonly email_change: { readonly email: string };
  readonly email_undo: {
    /** The previous address, to be restored. */
    readonly email: string;
    /** The time when the change was requested. Null means the time when this token was issued. */
    readonly requestedAt: string | null;
  };
  readonly email_verification: { readonly email: string };
  readonly account_restore: Record<never, never>;
  readonly sign_in_link: Record<never, never>;
  readonly second_factor: Record<never, never>;
  readonly provider_sign_in: {
    readonly provider: Provider;
    readonly codeVerifier: string;
    /** The browser's time zone, used if the sign-in creates an account. */
    readonly timeZone: string | null;
  };
  readonly passkey_challenge: Record<never, never>;
  readonly invitation: { readonly invitation: string };
}

/** Part of a payload, used to find tokens. */
export type PayloadPart<Kind extends TokenKind> = { [Each in TokenKind]: Partial<TokenPayloads[Each]> }[Kind];

/** Kinds of tokens that can be issued before the user is known. */
export type AnonymousKind = 'provider_sign_in' | 'passkey_challenge';

export function lifetimeMinutesOf<Kind extends TokenKind>(kind: Kind): (typeof tokenRules)[Kind]['minutes'] {
  return tokenRules[kind].minutes;
}

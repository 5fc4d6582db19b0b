import type { Provider } from '../queries.ts';

const hour = 60;
const day = 24 * hour;

interface TokenRule {
  /** Null: whoever issues it says. */
  readonly minutes: number | null;
  /**
   * It works only under the security stamp under which it was issued, and for an account that is not deleted. The others
   * are the owner's way back: a thief who changes the password must not close it.
   */
  readonly isBound: boolean;
}

/** Every kind of token that works once, with its lifetime. */
export const tokenRules = {
  /** Sets a new password. */
  password_reset: { minutes: 30, isBound: true },
  /** Gives the account another e-mail address; mailed to that address. */
  email_change: { minutes: hour, isBound: true },
  /** Cancels a change of the address, and undoes it afterwards; mailed to the previous address. */
  email_undo: { minutes: 7 * day, isBound: false },
  /** Confirms the address of the account. */
  email_verification: { minutes: 3 * day, isBound: true },
  /** Takes the deletion of an account back, until it is erased. */
  account_restore: { minutes: null, isBound: false },
  /** Makes a browser known to an account at which many passwords were guessed. */
  sign_in_link: { minutes: 30, isBound: true },
  /** A sign-in through a provider that still needs the second factor. */
  second_factor: { minutes: 10, isBound: true },
  /** The state of a sign-in at a provider; with a user: links the account there to that user. */
  provider_sign_in: { minutes: 10, isBound: true },
  /** What a passkey has to sign; with a user: to add the passkey to that account. */
  passkey_challenge: { minutes: 5, isBound: true },
  /** Accepts an invitation. The user is the one who invites. */
  invitation: { minutes: 14 * day, isBound: true },
} as const satisfies Record<string, TokenRule>;

export type TokenKind = keyof typeof tokenRules;

/** What each kind carries beside its user. */
export interface TokenPayloads {
  /** An operator hands a link over by hand: it does not prove that anybody reads mails. */
  readonly password_reset: { readonly isMailed: boolean };
  readonly email_change: { readonly email: string };
  readonly email_undo: {
    /** The previous address, which the account gets back. */
    readonly email: string;
    /** When the change was requested. Null: with this token. */
    readonly requestedAt: string | null;
  };
  readonly email_verification: { readonly email: string };
  readonly account_restore: Record<never, never>;
  readonly sign_in_link: Record<never, never>;
  readonly second_factor: Record<never, never>;
  readonly provider_sign_in: {
    readonly provider: Provider;
    readonly codeVerifier: string;
    /** That of the browser, for an account that the sign-in creates. */
    readonly timeZone: string | null;
  };
  readonly passkey_challenge: Record<never, never>;
  readonly invitation: { readonly invitation: string };
}

/** Some members of the payload of a kind, to find tokens by. */
export type PayloadPart<Kind extends TokenKind> = { [Each in TokenKind]: Partial<TokenPayloads[Each]> }[Kind];

/** Kinds that may be issued while nobody is known. */
export type AnonymousKind = 'provider_sign_in' | 'passkey_challenge';

export function minutesOf<Kind extends TokenKind>(kind: Kind): (typeof tokenRules)[Kind]['minutes'] {
  return tokenRules[kind].minutes;
}

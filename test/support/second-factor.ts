import { Secret, TOTP } from 'otpauth';
import type { TestApp, TestClient, testClock } from './app.ts';

type MovedClock = ReturnType<typeof testClock>;

/** Returns the code that the authenticator app shows for the key, this many seconds from now. */
export function computeCode(clock: Pick<MovedClock, 'now'>, secret: string, seconds = 0): string {
  const timestamp = clock.now().getTime() + seconds * 1000;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

/** Creates a user with a second factor, and moves the clock to the next time step. */
export async function withFactor(
  app: TestApp,
  clock: MovedClock,
): Promise<{ who: TestClient; secret: string; recoveryCodes: string[] }> {
  const who = await app.register();
  const { secret } = await who.json<{ secret: string }>('POST', '/v1/auth/totp', { body: {} });
  const body = { totp: computeCode(clock, secret) };
  const { recoveryCodes } = await who.json<{ recoveryCodes: string[] }>('POST', '/v1/auth/totp/confirm', { body });
  clock.move(60_000);
  return { who, secret, recoveryCodes };
}

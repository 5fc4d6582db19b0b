/** A mistake in a command, described for the user who typed it. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

export function unknownUser(email: string): CommandError {
  return new CommandError(`No user is registered as ${email}.`);
}

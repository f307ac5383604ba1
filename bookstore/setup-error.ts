/** The bookstore cannot start as asked: one sentence for the user, with the remedy. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}

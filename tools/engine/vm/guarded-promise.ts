/**
 * A promise whose fulfilment handlers may throw. quickjs-emscripten resumes the script inside a `then` callback and leaves
 * what goes wrong there to nobody, which would end the process.
 */
export class GuardedPromise<T> extends Promise<T> {
  private onError: (error: unknown) => void = () => undefined;

  static with<T>(onError: (error: unknown) => void, start: (resolve: (value: T) => void) => void): GuardedPromise<T> {
    const promise = new GuardedPromise<T>(start);
    promise.onError = onError;
    return promise;
  }

  // biome-ignore lint/suspicious/noThenProperty: a promise is meant.
  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    const guarded = (value: T) => {
      try {
        return onFulfilled?.(value) as A;
      } catch (error) {
        this.onError(error);
        return undefined as A;
      }
    };
    const next = super.then(guarded, onRejected);
    if (next instanceof GuardedPromise) next.onError = this.onError;
    return next;
  }
}

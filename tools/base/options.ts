/** Types of a command's options, inferred from where they are declared. */

/** Options of the command that a function declares. */
export type OptionsOf<Declare extends (...given: never[]) => { opts(): object }> = ReturnType<
  ReturnType<Declare>['opts']
>;

/** A command that has no options yet: with it `OptionsOf<typeof withSome<[], None, None>>` are those that a function adds. */
export type None = Record<never, never>;

/** The keys of T, all optional and none nullable. */
type Known<T> = { [K in keyof T]?: NonNullable<T[K]> }

/** Returns the object without keys whose value is null or undefined. */
export function known<T extends object>(values: T): Known<T>
export function known(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined))
}

/** Returns {@link known} of the object, or undefined when no key is left. */
export function knownOrNone<T extends object>(values: T): Known<T> | undefined {
  const rest = known(values)
  return Object.keys(rest).length === 0 ? undefined : rest
}

// Reads what others wrote, of which one field may be wrong: such a field is left out, and what it is a part of is read.
import type { z } from "zod"
import type { LeftOutField } from "../contract/records.ts"

/** A value in its documented shape, and the fields of it that were wrong. */
export interface Usable<Value> {
  readonly value: Value
  readonly leftOut: readonly LeftOutField[]
}

type Path = readonly PropertyKey[]

const NONE: readonly string[] = []
const nameOf = (path: Path): string => path.map(String).join(".")

/**
 * Returns a value as its schema reads it without the fields that are wrong, or the error where something is wrong that it cannot be
 * without. A field that is null where the schema wants it absent is missing, and no fault.
 * @param essential paths of fields that may be missing and that may not be left out, such as the end of something that is over
 */
export function usableOf<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  essential: readonly string[] = NONE,
): Usable<z.infer<Schema>> | z.ZodError {
  let parsed = schema.safeParse(value)
  if (parsed.success) return { value: parsed.data, leftOut: [] }
  const { error } = parsed
  const rest = new Copy(value)
  const tried = new Set<string>()
  const leftOut = new Map<string, string>()
  while (!parsed.success) {
    const removals = new Map<string, { readonly path: Path; readonly reason: string }>()
    for (const { path, message } of parsed.error.issues) {
      const wrong = untried(path, tried)
      removals.set(nameOf(wrong), { path: wrong, reason: message })
    }
    if ([...removals.keys()].some((name) => name === "" || isEssential(name, essential))) return error
    // From the last to the first, so that the places of elements before a removed one stay.
    for (const [name, { path, reason }] of [...removals].toReversed()) {
      tried.add(name)
      for (const part of [...leftOut.keys()]) if (part.startsWith(`${name}.`)) leftOut.delete(part)
      if (rest.remove(path, tried)) leftOut.set(name, reason)
    }
    parsed = schema.safeParse(rest.value)
  }
  return { value: parsed.data, leftOut: [...leftOut].map(([field, reason]) => ({ field, reason })) }
}

/** Leaving out a field did not help where its parent cannot be without it. */
function untried(path: Path, tried: ReadonlySet<string>): Path {
  let wrong = path
  while (wrong.length > 0 && tried.has(nameOf(wrong))) wrong = wrong.slice(0, -1)
  return wrong
}

const isEssential = (name: string, essential: readonly string[]): boolean =>
  essential.some((each) => each === "" || each === name || each.startsWith(`${name}.`))

/** A value of which only the objects that lose a field are copied: others may be nested without end. */
class Copy {
  value: unknown
  readonly #own = new Set<object>()

  constructor(value: unknown) {
    this.value = value
  }

  /**
   * Removes a field. An element of a list becomes null, because in a row of numbers the others keep their places. Where null is wrong too, it
   * is removed the next time. @returns whether it had a value
   */
  remove(path: Path, tried: Set<string>): boolean {
    const parents = path.slice(0, -1)
    const key = path.at(-1) ?? ""
    const holder = parents.reduce<object>((inner, step) => this.#childOf(inner, step), this.#childOf(this, "value"))
    const removed: unknown = Reflect.get(holder, key)
    if (!Array.isArray(holder)) Reflect.deleteProperty(holder, key)
    else if (removed !== null) {
      holder[Number(key)] = null
      tried.delete(nameOf(path))
    } else {
      holder.splice(Number(key), 1)
      // Other elements have taken the places.
      const list = nameOf(parents)
      for (const name of [...tried]) if (name.startsWith(`${list}.`)) tried.delete(name)
    }
    return removed !== null && removed !== undefined
  }

  /** The own copy of what a field holds. */
  #childOf(holder: object, key: PropertyKey): object {
    const child: unknown = Reflect.get(holder, key)
    if (typeof child !== "object" || child === null) return {}
    if (this.#own.has(child)) return child
    const copy = Array.isArray(child) ? [...child] : { ...child }
    this.#own.add(copy)
    Reflect.set(holder, key, copy)
    return copy
  }
}

/**
 * The records of one kind of one person, over time. A record is a list of versions, each visible from its own moment on.
 * The versions and the edits up to a moment define what is visible then.
 */

/** A record's content from a moment on. */
export interface Version<T> {
  readonly fromMs: number
  /** Returns the record, or null once it is deleted. Only a growing version depends on `nowMs`. */
  build(nowMs: number): T | null
  /** Interval between changes of a growing version, ms. Absent for a constant version. */
  readonly growsEveryMs?: number
}

/** All versions of one record, oldest first. */
export interface RecordHistory<T> {
  readonly key: string
  readonly versions: readonly Version<T>[]
}

/** Start and end of a record. A record in progress has no end. */
export interface Interval {
  readonly startMs: number
  readonly endMs: number | null
}

export interface Entry<T> extends Interval {
  readonly key: string
  readonly body: T
}

/** A change that the model did not generate. */
type Edit<T> = { readonly atMs: number } & (
  | { readonly kind: "put"; readonly body: T }
  | { readonly kind: "patch"; readonly patch: object }
  | { readonly kind: "delete" }
)

export interface Change<T> {
  readonly atMs: number
  readonly key: string
  /** The record after the change; null when it was deleted. */
  readonly body: T | null
}

export class Collection<T extends object> {
  readonly #histories: RecordHistory<T>[] = []
  readonly #historyOf = new Map<string, RecordHistory<T>>()
  readonly #edits = new Map<string, Edit<T>[]>()
  readonly #intervalOf: (body: T, nowMs: number) => Interval
  #cache: { fromMs: number; untilMs: number; entries: readonly Entry<T>[] } | undefined

  constructor(intervalOf: (body: T, nowMs: number) => Interval) {
    this.#intervalOf = intervalOf
  }

  add(history: RecordHistory<T>): void {
    this.#histories.push(history)
    this.#historyOf.set(history.key, history)
    this.#cache = undefined
  }

  edit(key: string, edit: Edit<T>): void {
    this.#edits.set(key, [...(this.#edits.get(key) ?? []), edit])
    this.#cache = undefined
  }

  /** Returns the records visible at a moment, latest start first. */
  visibleAt(nowMs: number): readonly Entry<T>[] {
    if (this.#cache && nowMs >= this.#cache.fromMs && nowMs < this.#cache.untilMs) return this.#cache.entries
    const keys = new Set([...this.#historyOf.keys(), ...this.#edits.keys()])
    const entries: Entry<T>[] = []
    for (const key of keys) {
      const body = this.at(key, nowMs)
      if (body) entries.push({ key, body, ...this.#intervalOf(body, nowMs) })
    }
    entries.sort((left, right) => right.startMs - left.startMs || (left.key < right.key ? 1 : -1))
    this.#cache = { fromMs: nowMs, untilMs: this.#nextChangeAfter(nowMs), entries }
    return entries
  }

  /** Returns copies of the records visible at a moment, latest start first. */
  copiesAt(nowMs: number): T[] {
    return structuredClone(this.visibleAt(nowMs).map(({ body }) => body))
  }

  /** Returns one record as visible at a moment. */
  at(key: string, nowMs: number): T | null {
    const version = this.#historyOf.get(key)?.versions.findLast(({ fromMs }) => fromMs <= nowMs)
    const edits = (this.#edits.get(key) ?? []).filter(({ atMs }) => atMs <= nowMs)
    return edits.reduce<T | null>(applyEdit, version?.build(nowMs) ?? null)
  }

  /** Returns changes after one moment and until another, oldest first. Growth is not a change. */
  changesBetween(afterMs: number, untilMs: number): Change<T>[] {
    const moments = new Map<string, Set<number>>()
    const note = (key: string, atMs: number) => {
      if (atMs > afterMs && atMs <= untilMs) moments.set(key, (moments.get(key) ?? new Set()).add(atMs))
    }
    for (const { key, versions } of this.#histories) for (const { fromMs } of versions) note(key, fromMs)
    for (const [key, edits] of this.#edits) for (const { atMs } of edits) note(key, atMs)
    return [...moments]
      .flatMap(([key, times]) => [...times].map((atMs) => ({ atMs, key, body: this.at(key, atMs) })))
      .sort((left, right) => left.atMs - right.atMs)
  }

  #nextChangeAfter(nowMs: number): number {
    let next = Number.POSITIVE_INFINITY
    for (const { versions } of this.#histories) {
      const current = versions.findLast(({ fromMs }) => fromMs <= nowMs)
      if (current?.growsEveryMs) next = Math.min(next, nextStep(nowMs, current.growsEveryMs))
      for (const { fromMs } of versions) if (fromMs > nowMs) next = Math.min(next, fromMs)
    }
    for (const { atMs } of [...this.#edits.values()].flat()) if (atMs > nowMs) next = Math.min(next, atMs)
    return next
  }
}

/** The next whole multiple of a step. */
function nextStep(nowMs: number, stepMs: number): number {
  return (Math.floor(nowMs / stepMs) + 1) * stepMs
}

function applyEdit<T extends object>(body: T | null, edit: Edit<T>): T | null {
  if (edit.kind === "delete") return null
  if (edit.kind === "put") return edit.body
  if (!body) return null
  const merged = structuredClone(body)
  mergeInto(merged, edit.patch)
  return merged
}

/** Merges as RFC 7396 does, but null does not remove a property and `updated_at` never decreases. */
function mergeInto(target: object, patch: object): void {
  for (const [name, value] of Object.entries(patch)) {
    const known: unknown = Reflect.get(target, name)
    if (isPlainObject(known) && isPlainObject(value)) mergeInto(known, value)
    else if (name !== "updated_at" || String(value) > String(known)) Reflect.set(target, name, value)
  }
}

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

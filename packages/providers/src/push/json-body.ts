// A JSON document of megabytes, of which only the piece at hand becomes objects: objects take ten times the room of their text.
import type { Json } from "../contract/records.ts"
import { toStorableJson } from "../normalize/storable-text.ts"

/** The document is not valid JSON. */
export class InvalidJson extends Error {
  override readonly name = "InvalidJson"
}

/** The bytes of one value. */
export interface JsonRange {
  readonly start: number
  readonly end: number
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Text that becomes objects at a time. */
const BATCH_BYTES = 65_536
/** An element of a list that is larger is not read: ten hours of a workout with its route are smaller. */
const LARGEST_ELEMENT = 16 * 1_048_576
/**
 * An element of more values is not read either: empty objects take twenty times the room of their text, and V8 ends the whole process where
 * they do not fit. The same ten hours have half as many.
 */
const MOST_VALUES = 1_000_000
/** An object of a push has a few names. Those that come behind so many are not kept. */
const MOST_NAMES = 10_000

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** A document as ranges of its bytes. What is not asked for is skipped by its quotes and brackets alone. */
export class JsonBody {
  readonly #bytes: Buffer

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** The value that is the document. @throws {InvalidJson} */
  root(): JsonRange {
    const start = this.#afterSpace(0)
    const end = this.#endOf(start)
    if (this.#afterSpace(end) !== this.#bytes.length) invalid()
    return { start, end }
  }

  isList({ start }: JsonRange): boolean {
    return this.#bytes[start] === OPEN_LIST
  }

  /** The members of an object. Of several with one name the last counts. Undefined for another value. @throws {InvalidJson} */
  membersOf({ start, end }: JsonRange): ReadonlyMap<string, JsonRange> | undefined {
    if (this.#bytes[start] !== OPEN_OBJECT) return undefined
    const members = new Map<string, JsonRange>()
    let at = this.#afterSpace(start + 1)
    if (at === end - 1) return members
    for (;;) {
      if (this.#bytes[at] !== QUOTE) invalid()
      const nameEnd = this.#endOf(at)
      const colon = this.#afterSpace(nameEnd)
      if (this.#bytes[colon] !== COLON) invalid()
      const value = this.#rangeAt(this.#afterSpace(colon + 1))
      const name = String(this.valueOf({ start: at, end: nameEnd }))
      if (members.size < MOST_NAMES || members.has(name)) members.set(name, value)
      const next = this.#next(value.end, CLOSE_OBJECT)
      if (next === undefined) return members
      at = next
    }
  }

  /** The elements of a list. @throws {InvalidJson} */
  *elementsOf({ start, end }: JsonRange): Generator<JsonRange, void> {
    let at = this.#afterSpace(start + 1)
    if (at === end - 1) return
    for (;;) {
      const element = this.#rangeAt(at)
      yield element
      const next = this.#next(element.end, CLOSE_LIST)
      if (next === undefined) return
      at = next
    }
  }

  countOf(list: JsonRange): number {
    let count = 0
    for (const _ of this.elementsOf(list)) count += 1
    return count
  }

  /** The elements of a list as values, some at a time. One that is too large, or has too many values, is undefined. @throws {InvalidJson} */
  *batchesOf(list: JsonRange): Generator<readonly unknown[], void> {
    let batch: JsonRange | undefined
    for (const element of this.elementsOf(list)) {
      const { start, end } = element
      if (this.#isTooLarge(element)) {
        if (batch) yield this.#valuesOf(batch)
        batch = undefined
        yield [undefined]
        continue
      }
      batch = { start: batch?.start ?? start, end }
      if (batch.end - batch.start < BATCH_BYTES) continue
      yield this.#valuesOf(batch)
      batch = undefined
    }
    if (batch) yield this.#valuesOf(batch)
  }

  /** @throws {InvalidJson} */
  valueOf(range: JsonRange): unknown {
    return this.#isTooLarge(range) ? undefined : parse(this.#bytes.toString("utf8", range.start, range.end))
  }

  /** Commas and brackets within texts count too, as none has a million of them. */
  #isTooLarge({ start, end }: JsonRange): boolean {
    if (end - start > LARGEST_ELEMENT) return true
    if (end - start <= MOST_VALUES) return false
    let values = 0
    for (let at = start; at < end; at += 1) {
      const byte = this.#bytes[at]
      if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) values += 1
    }
    return values > MOST_VALUES
  }

  #valuesOf({ start, end }: JsonRange): readonly unknown[] {
    const values = parse(`[${this.#bytes.toString("utf8", start, end)}]`)
    return Array.isArray(values) ? values : invalid()
  }

  #rangeAt(start: number): JsonRange {
    return { start, end: this.#endOf(start) }
  }

  /** Where the next element begins. Undefined behind the last one. */
  #next(end: number, close: number): number | undefined {
    const at = this.#afterSpace(end)
    if (this.#bytes[at] === close) return undefined
    return this.#bytes[at] === COMMA ? this.#afterSpace(at + 1) : invalid()
  }

  #afterSpace(from: number): number {
    let at = from
    while (isSpace(this.#bytes[at])) at += 1
    return at
  }

  /** The end of the value that begins here. */
  #endOf(start: number): number {
    const bytes = this.#bytes
    const first = bytes[start]
    if (first === QUOTE) return this.#endOfText(start)
    if (first !== OPEN_LIST && first !== OPEN_OBJECT) return this.#endOfWord(start)
    let depth = 0
    for (let at = start; at < bytes.length; at += 1) {
      const byte = bytes[at]
      if (byte === QUOTE) at = this.#endOfText(at) - 1
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1
      else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        depth -= 1
        if (depth === 0) return at + 1
      }
    }
    return invalid()
  }

  #endOfText(start: number): number {
    const bytes = this.#bytes
    for (let at = start + 1; at < bytes.length; at += 1)
      if (bytes[at] === QUOTE) return at + 1
      else if (bytes[at] === BACKSLASH) at += 1
    return invalid()
  }

  /** The end of a number, or of `true`, `false` or `null`. */
  #endOfWord(start: number): number {
    let at = start
    for (let byte = this.#bytes[at]; byte !== undefined && isOfWord(byte); byte = this.#bytes[at]) at += 1
    return at === start ? invalid() : at
  }
}

const isOfWord = (byte: number): boolean =>
  !isSpace(byte) && byte !== COMMA && byte !== COLON && byte !== CLOSE_LIST && byte !== CLOSE_OBJECT && byte !== QUOTE

/** Only an escape sequence can have half of a character or U+0000. A broken name costs no row. */
const UNSTORABLE = /\\u(?:d[89a-f]|0000)/i

function parse(text: string): unknown {
  try {
    const value: Json = JSON.parse(text)
    return UNSTORABLE.test(text) ? toStorableJson(value) : value
  } catch (cause) {
    throw new InvalidJson("the document is not valid JSON", { cause })
  }
}

function invalid(): never {
  throw new InvalidJson("the document is not valid JSON")
}

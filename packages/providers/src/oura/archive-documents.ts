// The documents of Oura's data export between reading and joining: as texts, which take a third of the memory of objects.
import { addDays } from "@restwell/client/calendar-dates"
import { UnreadableArchive } from "../archive/archive-items.ts"
import type { Json } from "../contract/records.ts"
import { jsonTextOf } from "../normalize/storable-text.ts"
import type { DayRange, OuraCollection } from "./api.ts"
import { type List, textIn } from "./join.ts"

/** More than anyone's history has. */
const MOST_DOCUMENTS = 200_000
/** Days whose documents are objects at a time. Short-lived objects are freed without the heap growing. */
const WINDOW_DAYS = 10

interface KeptDocument {
  readonly id: string
  readonly day: string
  /** File and line. */
  readonly place: string
  readonly text: string
}

/** The documents of some days. */
export interface DayWindow {
  readonly range: DayRange
  readonly list: List
  /** File and line of each document that was listed. */
  readonly places: ReadonlyMap<Json, string>
}

/** Collects documents in any order. */
export class OuraDocuments {
  readonly #kept = new Map<OuraCollection, KeptDocument[]>()
  /** The row of each id that comes last. */
  readonly #newest = new Map<string, KeptDocument>()
  #count = 0

  /** Adds a document whose day is a date of this century. @throws {UnreadableArchive} when there are too many */
  add(collection: OuraCollection, document: Json, place: string): void {
    if (this.#count >= MOST_DOCUMENTS)
      throw new UnreadableArchive(`${place}: the archive has more than ${MOST_DOCUMENTS} rows of sleeps and days`)
    this.#count += 1
    const id = textIn(document, "id")
    const kept = { id, day: textIn(document, "day"), place, text: jsonTextOf(document) }
    if (id !== "") this.#newest.set(`${collection}/${id}`, kept)
    this.#kept.getOrInsertComputed(collection, () => []).push(kept)
  }

  /** Yields all days, oldest first. */
  *windows(): Generator<DayWindow, void> {
    // A row that is there in two versions is there twice in the newest one, so that the report counts both.
    for (const [collection, kept] of this.#kept) {
      const newest = kept.map((each) => this.#newest.get(`${collection}/${each.id}`) ?? each)
      this.#kept.set(collection, newest.toSorted(byDay))
    }
    const days = [...this.#kept.values()]
      .flatMap((kept) => [kept[0]?.day ?? [], kept.at(-1)?.day ?? []].flat())
      .toSorted()
    const [first, last] = [days[0], days.at(-1)]
    if (first === undefined || last === undefined) return
    for (let from = first; from <= last; from = addDays(from, WINDOW_DAYS))
      yield this.#window({ first: from, last: addDays(from, WINDOW_DAYS - 1) })
  }

  #window(range: DayRange): DayWindow {
    const places = new Map<Json, string>()
    const list: List = async (collection, wanted = range) => {
      const kept = this.#kept.get(collection) ?? []
      return kept
        .slice(firstFrom(kept, wanted.first), firstFrom(kept, addDays(wanted.last, 1)))
        .map(({ text, place }) => {
          const document: Json = JSON.parse(text)
          places.set(document, place)
          return document
        })
    }
    return { range, list, places }
  }
}

const byDay = (one: KeptDocument, other: KeptDocument): number =>
  one.day < other.day ? -1 : Number(one.day > other.day)

/** The index of the first document that is not before a day. */
function firstFrom(kept: readonly KeptDocument[], day: string): number {
  let [low, high] = [0, kept.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((kept[middle]?.day ?? "") < day) low = middle + 1
    else high = middle
  }
  return low
}

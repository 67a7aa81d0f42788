// Reads the elements of Apple Health's XML one by one. What XML forbids and Apple writes is read all the same: broken DTDs, attributes
// that stand twice, control characters. Entities of a DTD are never expanded, because nothing before the first element is parsed.
import { UnreadableArchive } from "../archive/archive-items.ts"
import { textOf } from "../archive/text.ts"

/** The DTD before it has about 15,000 characters. */
const LATEST_ROOT = 262_144
const ROOT = "<HealthData"
/** A longer element is an attribute that was never closed. */
const LONGEST_ELEMENT = 1_048_576
/** Rows of beats within a row within a correlation. */
const DEEPEST = 32

/** The line of the file where the tag ends that is visited. The first line is 1. */
export type LineOf = () => number

export interface ElementVisitor {
  /** @param parents names of the elements around it, the root first */
  open(name: string, attributes: Readonly<Record<string, string>>, parents: readonly string[], line: LineOf): void
  close(name: string, line: LineOf): void
}

/** Visits all elements within the root. It yields after each piece of the file. @throws {UnreadableArchive} */
export async function* readElements(
  name: string,
  content: AsyncIterable<Buffer>,
  visitor: ElementVisitor,
): AsyncGenerator<void, void> {
  // Loaded when an export is read: every service would keep it in memory otherwise.
  const { Parser } = await import("htmlparser2")
  const parents: string[] = []
  let [head, isWithin, isEnded, silent] = ["", false, false, 0]
  // What the parser was given last, where that begins for the parser, and its line.
  let [given, givenAt, givenLine] = ["", 0, 1]
  const line = () => givenLine + lineEndsIn(given.slice(0, parser.endIndex - givenAt))
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        silent = 0
        if (isEnded) return
        visitor.open(tag, attributes, parents, line)
        parents.push(tag)
        if (parents.length > DEEPEST) throw new UnreadableArchive(`${name} has elements ${DEEPEST} levels deep`)
      },
      onclosetag(tag, isImplied) {
        silent = 0
        if (isEnded || (isImplied && parents.length === 0)) return
        parents.pop()
        visitor.close(tag, line)
        if (parents.length === 0) isEnded = true
      },
    },
    { xmlMode: true },
  )
  for await (const text of textOf(name, content)) {
    const start = isWithin ? 0 : (head + text).indexOf(ROOT)
    if (!isWithin) head += text
    isWithin ||= start >= 0
    if (!isWithin && head.length > LATEST_ROOT) throw new UnreadableArchive(`${name} is no export of Apple Health`)
    silent += text.length
    if (silent > LONGEST_ELEMENT + text.length)
      throw new UnreadableArchive(
        `${name} has an element of more than 1 MB, perhaps because a quotation mark is missing`,
      )
    if (!isWithin) continue
    givenAt += given.length
    givenLine += lineEndsIn(given === "" ? head.slice(0, start) : given)
    given = head === "" ? text : head.slice(start)
    head = ""
    parser.write(given)
    yield
  }
  if (!isWithin) throw new UnreadableArchive(`${name} is no export of Apple Health`)
  if (!isEnded)
    throw new UnreadableArchive(`${name} ends too early`, { nextStep: "export it again and upload it as it is" })
}

function lineEndsIn(text: string): number {
  let count = 0
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1
  return count
}

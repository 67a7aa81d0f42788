import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Files that are short and take long: they call what their long forms call, or run for each vendor. */
const LONG = /\/test\/(?:attacks|crash|faults|oracle|starts|sync\/collections)/
/** At most this number of others begins between two of them, because each keeps a machine busy. */
const APART = 15

/** Large files begin first, as most of them take long. A run must not end with one worker that is busy with a file of `LONG`. */
export default class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const { long = [], other: order = [] } = Object.groupBy(sorted, ({ moduleId }) =>
      LONG.test(moduleId) ? "long" : "other",
    )
    const apart = Math.min(APART, Math.floor(order.length / long.length))
    for (const [index, file] of long.entries()) order.splice(index * apart, 0, file)
    return order
  }
}

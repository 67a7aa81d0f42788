import { createHash } from "node:crypto"
import { encodeBlock, KIND, type Kind, LARGEST_CONTENT, MAGIC } from "./blocks.ts"

/** Blocks that are compressed at a time, on other threads. */
const PARALLEL = 3

export interface BlockWriter {
  /** Adds a block of JSON. */
  addJson(kind: Kind, value: unknown): Promise<void>
  /** Adds content of any length, in blocks. */
  addStream(kind: Kind, chunks: AsyncIterable<Buffer>): Promise<void>
  /** Adds the last block, and returns when all is written. */
  end(): Promise<void>
}

/** @param write receives the bytes of the file in their order */
export async function createBlockWriter(write: (bytes: Buffer) => Promise<void>): Promise<BlockWriter> {
  const digest = createHash("sha256")
  const compressing: Promise<Buffer>[] = []
  const put = async (bytes: Buffer): Promise<void> => {
    digest.update(bytes)
    await write(bytes)
  }
  const flush = async (most: number): Promise<void> => {
    while (compressing.length > most) {
      const oldest = compressing.shift()
      if (oldest) await put(await oldest)
    }
  }
  const add = async (kind: Kind, content: Buffer): Promise<void> => {
    const block = encodeBlock(kind, content)
    // It is awaited in its turn, which may be after another one's failure.
    block.catch(() => {})
    compressing.push(block)
    await flush(PARALLEL - 1)
  }
  await put(MAGIC)
  return {
    addJson: (kind, value) => add(kind, Buffer.from(JSON.stringify(value))),
    async addStream(kind, chunks) {
      for await (const content of inBlocks(chunks)) await add(kind, content)
    },
    async end() {
      await flush(0)
      await write(await encodeBlock(KIND.end, digest.digest()))
    },
  }
}

/** Joins and splits chunks into contents of full length, but the last. */
async function* inBlocks(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let waiting: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; ) {
      const part = chunk.subarray(from, from + LARGEST_CONTENT - length)
      waiting.push(part)
      length += part.length
      from += part.length
      if (length < LARGEST_CONTENT) continue
      yield Buffer.concat(waiting)
      waiting = []
      length = 0
    }
  }
  if (length > 0) yield Buffer.concat(waiting)
}

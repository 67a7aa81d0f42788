import { createHash } from "node:crypto"

/** Numbers from 0 to 1 that a seed decides. */
export function nextRandom(seed: string): () => number {
  let count = 0
  return () => {
    count += 1
    return createHash("sha256").update(`${seed} ${count}`).digest().readUInt32BE() / 2 ** 32
  }
}

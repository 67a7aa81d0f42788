import { deriveKey } from "@restwell/core"

/** What only this installation can answer to a challenge. */
export const proofOf = (secret: string, challenge: string): string =>
  deriveKey(secret, `instance/${challenge}`).toString("hex")

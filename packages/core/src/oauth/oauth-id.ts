import { createHash } from "node:crypto"

/** The hash that a code, token or grant is stored under. Its id is the secret, so the id itself is never stored. */
export const hashOfOauthId = (kind: string, id: string): Buffer => createHash("sha256").update(`${kind}:${id}`).digest()

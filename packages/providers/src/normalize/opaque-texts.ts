// Ids and tokens that vendors make. Their form and length are the vendor's own, and most vendors state neither.
import { z } from "zod"

/** An id is part of addresses and of ids of parts, which have at most 200 characters. */
const ID = /^[0-9A-Za-z_-]{1,150}$/
export const isOpaqueId = (id: string): boolean => ID.test(id)
export const opaqueId = z.string().regex(ID, { error: "not an id" })
/** An id that some answers have as a number. */
export const textOrNumberId = z.union([z.int().nonnegative(), opaqueId], { error: "not an id" }).transform(String)

/** A token of the next page. It becomes part of that page's address, and is null, empty or absent on the last page. */
export const pageToken = z
  .string()
  .regex(/^[\x21-\x7e]{0,4096}$/, { error: "not a token of a page" })
  .nullish()

// Finds text that PostgreSQL cannot store, wherever a request carries it. The rule itself is isStorableText.
import { InvalidRequest } from "@restwell/core"
import { isStorableText, unstorablePath } from "@restwell/providers"
import { shorten } from "./query-parameters.ts"

const NOT_TEXT = "contains an invalid escape sequence, or characters that are not text"

/** Returns the error that names the path, or the first parameter, that cannot be stored. Undefined without one. */
export function unstorableUrl(url: string): InvalidRequest | undefined {
  // Node's parser refuses control characters, so only escape sequences can hold them.
  if (!url.includes("%")) return undefined
  const start = url.indexOf("?")
  const path = start < 0 ? url : url.slice(0, start)
  if (!isStorableEncoding(path)) return new InvalidRequest(`the path ${NOT_TEXT}`, "path")
  return start < 0 ? undefined : unstorableParameter(url.slice(start + 1), "query")
}

/** Returns the error that names the first field of a form that cannot be stored. Undefined without one. */
export const unstorableForm = (form: string): InvalidRequest | undefined => unstorableParameter(form, "form")

/** Returns the error that names the first field of a JSON body that cannot be stored. Undefined without one. */
export function unstorableJson(body: Parameters<typeof unstorablePath>[0]): InvalidRequest | undefined {
  const path = unstorablePath(body)
  if (path === undefined) return undefined
  const field = shorten(path)
  return new InvalidRequest(`${field} contains characters that are not text, or is nested too deeply`, field)
}

/** @param whole the field to name where the parameter's name cannot be repeated */
function unstorableParameter(parameters: string, whole: string): InvalidRequest | undefined {
  if (!/[%\0]/.test(parameters)) return undefined
  const unstorable = parameters.split("&").find((parameter) => !isStorableEncoding(parameter))
  if (unstorable === undefined) return undefined
  const [name = ""] = unstorable.split("=")
  const field = /^[\w.[\]-]+$/.test(name) ? shorten(name) : whole
  return new InvalidRequest(`${field} ${NOT_TEXT}`, field)
}

/** Returns whether percent-encoded text is UTF-8 that can be stored. UTF-8 has no surrogates. RFC 3986 2.1, RFC 3629 3 */
function isStorableEncoding(encoded: string): boolean {
  try {
    return isStorableText(decodeURIComponent(encoded))
  } catch {
    return false
  }
}

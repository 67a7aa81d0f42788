import { describeApi } from "../openapi/document.ts"
import type { Asset } from "./assets.ts"

/** Everything the service serves about itself, made once at start. */
export function describeService(baseUrl: string, version: string): readonly Asset[] {
  const document = describeApi({ baseUrl, version })
  return [{ path: "/openapi.json", contentType: "application/json; charset=utf-8", body: JSON.stringify(document) }]
}

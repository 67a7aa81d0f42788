import { describeApi } from "../openapi/document.ts"
import { referencePage } from "./reference-page.ts"
import { STYLE } from "./style.ts"

/** A file that is the same for everybody until the next start. */
export interface Asset {
  readonly path: string
  readonly contentType: string
  readonly body: string
}

/** The OpenAPI document and the reference page, made once at start. */
export function describeService(baseUrl: string, version: string): readonly Asset[] {
  const document = describeApi({ baseUrl, version })
  return [
    { path: "/openapi.json", contentType: "application/json; charset=utf-8", body: JSON.stringify(document) },
    { path: "/docs/reference", contentType: "text/html; charset=utf-8", body: referencePage(document, baseUrl) },
    { path: "/docs/style.css", contentType: "text/css; charset=utf-8", body: STYLE },
  ]
}

/** The API reference has what the OpenAPI document has, and the manual's search finds it. */

import { DocumentSchema, exampleOf } from "@restwell/manual/api-document"
import { REFERENCE } from "@restwell/manual/site"
import { describeApi } from "@restwell/server/api-document"
import { DESCRIBED } from "@restwell/server/routes"
import { DESKTOP, useBrowser, visit } from "@restwell/testing/browser"
import { startTestService, type TestService } from "@restwell/testing/service"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

const openApi = describeApi({ baseUrl: "https://restwell.example", version: "1.2.3", endpoints: DESCRIBED })
const document = DocumentSchema.parse(openApi)
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ ...operation, name: `${method.toUpperCase()} ${path}` })),
)

let service: TestService
const browser = useBrowser()
const sections = new Map<string, string>()
beforeAll(async () => {
  service = await startTestService({ days: 1, role: "api" })
  for (const { path } of REFERENCE.pages) {
    const text = await (await fetch(`${service.url}/docs/${path}.md`)).text()
    for (const [, anchor = "", section = ""] of text.matchAll(/^## .+ \{#(\w+)\}\n([\s\S]*?)(?=^## |(?![\s\S]))/gm))
      sections.set(anchor, section)
  }
})
afterAll(() => service.close())

describe("the reference has", () => {
  test.each(operations)("$name with its parameters, responses and an example", (operation) => {
    const { operationId, name, parameters, responses } = operation
    const section = sections.get(operationId) ?? ""
    expect(section).toContain(`\`${name}\``)
    for (const parameter of parameters) expect(section).toContain(`| \`${parameter.name}\` | ${parameter.in}`)
    for (const [status, { description }] of Object.entries(responses))
      expect(section).toContain(`| ${status === "default" ? "other" : status} | ${description}`)
    expect(section).toMatch(new RegExp(`\`\`\`http\n${name.replace(/\{.*/, "")}`))
    const hasJson = Object.entries(responses).some(
      ([status, { content }]) => /^2/.test(status) && content["application/json"],
    )
    expect(section.includes("```json\n")).toBe(hasJson)
  })

  test("every field of every body", () => {
    for (const [name, { properties = {} }] of Object.entries(document.components.schemas))
      for (const field of Object.keys(properties)) expect(sections.get(name), name).toContain(`| \`${field}\` |`)
    for (const path of ["stages.rem_hours", "zones"]) expect([...sections.values()].join()).toContain(`\`${path}\``)
  })

  test("examples that are valid under their schemas", () => {
    const { schemas } = document.components
    const ajv = formats.default(new Ajv2020({ strict: false }))
    ajv.addSchema(openApi, "openapi")
    for (const [name, schema] of Object.entries(schemas)) {
      const example = exampleOf(schemas, schema)
      const isValid = ajv.validate(`openapi#/components/schemas/${name}`, example)
      expect(isValid, `${name}: ${ajv.errorsText()} ${JSON.stringify(example)}`).toBe(true)
    }
  })
})

test("the search finds every operation by its method and path, and a field by its name", async () => {
  const { page, faults, close } = await visit(browser, service, { viewport: DESKTOP })
  await page.goto(`${service.url}/docs/`)
  await page.getByRole("button", { name: "Search" }).first().click()
  const expectFound = async (words: string, anchor: string) => {
    await page.locator("#localsearch-input").fill(words)
    await page.locator(`#localsearch-list a[href$="#${anchor}"]`).waitFor()
  }
  for (const { name, operationId } of operations) await expectFound(name, operationId)
  await expectFound("skin_temp_deviation_celsius", "RecoveryRecord")
  expect(faults).toEqual([])
  await close()
})

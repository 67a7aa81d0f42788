import { type Plugin, parseSync, Visitor } from "vite"

/** Leaves `.meta(…)` out of the client's schemas: descriptions and examples of OpenAPI, which no page reads. */
export const dropDescriptions = (): Plugin => ({
  name: "drop-descriptions",
  enforce: "pre",
  transform: {
    filter: { id: "**/packages/client/src/**", code: ".meta(" },
    handler: (code, path) => ({ code: withoutMeta(code, path), map: null }),
  },
})

function withoutMeta(code: string, path: string): string {
  const calls: { readonly start: number; readonly end: number }[] = []
  const visitor = new Visitor({
    CallExpression({ callee, arguments: given, end }) {
      if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return
      // Without an argument it reads what was described.
      if (callee.property.name === "meta" && given.length === 1) calls.push({ start: callee.object.end, end })
    },
  })
  visitor.visit(parseSync(path, code).program)
  return calls
    .toSorted((one, other) => other.start - one.start)
    .reduce((kept, { start, end }) => kept.slice(0, start) + kept.slice(end), code)
}

/** The view that chats show as one document, which loads nothing: hosts block every address. */
import { join } from "node:path"
import { z } from "zod"

const OutputSchema = z.object({
  output: z.array(
    z.discriminatedUnion("type", [
      z.object({ type: z.literal("chunk"), code: z.string() }),
      z.object({ type: z.literal("asset"), fileName: z.string(), source: z.string() }),
    ]),
  ),
})

export async function buildChatPage(folder: string): Promise<string> {
  const { build } = await import("vite")
  const built = await build({ root: folder, configFile: join(folder, "vite.chat.config.ts"), logLevel: "warn" })
  const parts = OutputSchema.parse(built).output
  const scripts = parts.flatMap((part) => (part.type === "chunk" ? [part.code] : []))
  const styles = parts.flatMap((part) => (part.type === "asset" ? [part.source] : []))
  const [script, ...others] = scripts
  if (script === undefined || others.length > 0) throw new Error("the view of chats must be built as one script")
  return documentOf(script, styles.join("\n"))
}

/** The text in it is what a person sees if the script cannot run. */
const documentOf = (script: string, style: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Restwell chart</title>
<style>${style.replaceAll("</", "<\\/")}</style>
</head>
<body>
<main id="root"><h1>The chart did not load</h1><p>The answer has the same figures.</p></main>
<script type="module">${insideScript(script)}</script>
</body>
</html>
`

/** Neither ends the element nor opens a comment. HTML standard, 4.12.1.3 "Restrictions for contents of script elements" */
const insideScript = (code: string): string => code.replaceAll("</script", "<\\/script").replaceAll("<!--", "\\x3C!--")

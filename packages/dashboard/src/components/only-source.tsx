// Which source the figures of a page are of.
import { PROVIDERS, type Provider, type Source } from "@restwell/client"
import { useSearchParams } from "wouter"
import { providerName } from "../format/provider-name.ts"
import { ButtonLink } from "./button.tsx"
import { Notice } from "./notice.tsx"

/** The source that an address asks for. */
export const askedSource = (url: URLSearchParams): Provider | undefined =>
  PROVIDERS.find((provider) => provider === url.get("source"))

/** Says that the address asks for one source, with the way back. Nothing without one. */
export function OnlySourceNotice() {
  const [url] = useSearchParams()
  const source = askedSource(url)
  if (source === undefined) return null
  const others = new URLSearchParams([...url].filter(([name]) => name !== "source"))
  return (
    <Notice
      title={`Only values of ${providerName(source)}`}
      action={<ButtonLink to={`?${others}`}>Show the usual source</ButtonLink>}
    >
      What other sources have of these dates is left out.
    </Notice>
  )
}

/** "from Oura", of an answer for a person with several sources. */
export const sourceWords = ({ source, sources }: { readonly source: Source; readonly sources: readonly Source[] }) =>
  sources.length > 1 ? `from ${providerName(source.provider)}` : undefined

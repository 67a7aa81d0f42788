// Which source the figures of a page are of.
import { OWN_SOURCE, PROVIDERS, type Provider, type TrendResponse } from "@restwell/client"
import { isOfAnySource } from "@restwell/client/figures"
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

/** "from Oura", of an answer for a person with several sources. What the person enters is none, and activities may be of each. */
export function sourceWords({ metric, source, sources }: Pick<TrendResponse, "metric" | "source" | "sources">) {
  const hasSeveral = sources.filter(({ provider }) => provider !== OWN_SOURCE).length > 1
  return hasSeveral && !isOfAnySource(metric) ? `from ${providerName(source.provider)}` : undefined
}

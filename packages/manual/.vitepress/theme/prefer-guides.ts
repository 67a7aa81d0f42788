import type { DefaultTheme } from "vitepress"

/** Pages that name every word of the product, and are seldom what a person looks for. */
const LOOKED_UP = /^\/docs\/(?:reference|changelog)/
/** Of a section of them that has the word in its text alone, and in its title. */
const [IN_TEXT, IN_TITLE] = [0.1, 0.5]
/** What the reference alone has: an address, or from so many words on, which the name of a field has too. */
const [METHODS, WORDS_OF_NAME] = [["get", "post", "put", "delete"], 3]

/**
 * Ranks guides before the API reference in the search. It is set in the browser: a function in the configuration would be sent as text and
 * made by `new Function`, which the Content-Security-Policy forbids.
 */
export function preferGuides({ search }: DefaultTheme.Config): void {
  if (search?.provider !== "local") return
  let isName = false
  const searchOptions = {
    boostTerm: (_term: string, _index: number, terms: readonly string[]): number => {
      isName = terms.length >= WORDS_OF_NAME || terms.some((term) => METHODS.includes(term))
      return 1
    },
    boostDocument: (id: string, word: string, stored?: Record<string, unknown>): number => {
      if (!LOOKED_UP.test(id) || isName) return 1
      return String(stored?.["title"]).toLowerCase().includes(word) ? IN_TITLE : IN_TEXT
    },
  }
  search.options = { ...search.options, miniSearch: { searchOptions } }
}

import type { DefaultTheme } from "vitepress"

/** Pages that name every word of the product, and are seldom what a person looks for. */
const LOOKED_UP = /^\/docs\/(?:reference|changelog)/
/** Of a section of them that has the word in its text alone, and in its title. */
const [IN_TEXT, IN_TITLE] = [0.1, 0.5]
/** From so many words on it is the name of an operation, which is found by its title. */
const WORDS_OF_NAME = 3

/**
 * Ranks guides before the API reference in the search. It is set in the browser: a function in the configuration would be sent as text and
 * made by `new Function`, which the Content-Security-Policy forbids.
 */
export function preferGuides({ search }: DefaultTheme.Config): void {
  if (search?.provider !== "local") return
  let words = 1
  const searchOptions = {
    boostTerm: (_term: string, _index: number, terms: readonly string[]): number => {
      words = terms.length
      return 1
    },
    boostDocument: (id: string, word: string, stored?: Record<string, unknown>): number => {
      if (!LOOKED_UP.test(id)) return 1
      if (!String(stored?.["title"]).toLowerCase().includes(word)) return IN_TEXT
      return words >= WORDS_OF_NAME ? 1 : IN_TITLE
    },
  }
  search.options = { ...search.options, miniSearch: { searchOptions } }
}

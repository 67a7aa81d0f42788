/** The entry of a table under a word that a stranger wrote. Every object has `constructor` and the like, which are no entries. */
export const entryOf = <Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined

/** Runs a function for all items, `width` at a time. */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  width: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const left = items.values()
  const turn = async (): Promise<void> => {
    for (const item of left) results.push(await run(item))
  }
  await Promise.all(Array.from({ length: width }, turn))
  return results
}

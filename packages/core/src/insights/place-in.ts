/** The index of the first of some ascending values that is not smaller. */
export function placeIn(sorted: ArrayLike<number>, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? value) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Prints one line of a table. */
export const print = (cells: readonly (string | number)[]): boolean =>
  process.stdout.write(
    `${cells.map((cell, index) => `${cell}`[index === 0 ? "padEnd" : "padStart"](index === 0 ? 36 : 12)).join("")}\n`,
  )

import { type Exception, isExcepted, packageOf, type SourceFile } from "./source-files.ts"

const READS_TIME = /\bnew Date\(\)|\bDate\.now\(\)|\bTemporal\.Now\b/

const EXCEPTIONS: readonly Exception[] = [
  { files: "packages/server/src/commands/**", reason: "composition roots: make the clock" },
  { files: "packages/simulator/src/world/clock.ts", reason: "is the simulated vendor's clock" },
  { files: "packages/dashboard/src/components/time-ago.tsx", reason: "is the page's clock" },
  { files: "packages/client/src/**", reason: "runs in the programs of others, which have no clock to pass" },
]

/** Time is an argument: code that reads the machine's clock cannot be tested at another time. */
export const timeReadFaults = ({ path, text }: SourceFile): string[] =>
  READS_TIME.test(text) && !isExcepted(path, EXCEPTIONS)
    ? [`${path}: package ${packageOf(path)} must not read the time here, take a Clock as an argument`]
    : []

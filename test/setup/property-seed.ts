// Properties draw the same cases in each run, so that a change is judged by what it changed. TEST_SEED draws others.
import fc from "fast-check"

const SEED = 20_261_128

fc.configureGlobal({ seed: Number(process.env["TEST_SEED"] ?? SEED) })

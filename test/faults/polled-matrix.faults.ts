import { testMatrix } from "./matrix.ts"

testMatrix(["polar", "intervals", "withings", "google_health", "ultrahuman"])

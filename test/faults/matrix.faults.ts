import { testMatrix } from "./matrix.ts"

// The vendors that announce each change. The others have a file of their own, so that two workers share the work.
testMatrix(["whoop", "oura"])

import { transformerStyleToClass } from "@shikijs/transformers"

/** Colours of code become classes, because the Content-Security-Policy forbids style attributes. */
export const codeColours = transformerStyleToClass({ classPrefix: "code-" })

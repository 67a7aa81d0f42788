/** The smallest valid image, sound and document. */

/** One red pixel, PNG. */
export const RED_PIXEL = {
  type: "image" as const,
  mimeType: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC",
}

/** A WAV file without a sample: 44 bytes of header. */
export const SILENCE = {
  type: "audio" as const,
  mimeType: "audio/wav",
  data: "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=",
}

export const text = (words: string): { type: "text"; text: string } => ({ type: "text", text: words })

export const textResult = (words: string): { content: { type: "text"; text: string }[] } => ({ content: [text(words)] })

/** A document inside an answer. */
export const embedded = (uri: string, mimeType: string, words: string) => ({
  type: "resource" as const,
  resource: { uri, mimeType, text: words },
})

/** What the console hands to the frame that shows a PDF. */
export interface PdfMessage {
  bytes: ArrayBuffer;
}

/** What the frame says: that it can be handed one, how many pages are shown, or why none is. */
export type PdfReport = { isReady: true } | { pages: number } | { failure: 'locked' | 'broken' };

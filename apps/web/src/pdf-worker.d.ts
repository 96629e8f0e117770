declare module 'pdfjs-dist/build/pdf.worker.mjs' {
  /** What the library looks for where it can start no worker. */
  export const WorkerMessageHandler: unknown;
}

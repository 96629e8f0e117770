/** Milliseconds: browsers begin to read after the click, and may first ask where to store the file. */
const READ_BY = 60_000;

/** Hands bytes that are in memory to the browser, which stores them as a download of that name. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), READ_BY);
}

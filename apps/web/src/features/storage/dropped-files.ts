/** A file that was dropped, with its path below what was dropped: '' or `photos/2026/`. */
export interface DroppedFile {
  file: File;
  below: string;
}

/** Files of a drop, those of folders included. The list has to be that of the event while it is being handled. */
export async function droppedFiles(entries: readonly FileSystemEntry[]): Promise<DroppedFile[]> {
  const found: DroppedFile[] = [];
  for (const entry of entries) await collect(entry, '', found);
  return found;
}

async function collect(entry: FileSystemEntry, below: string, found: DroppedFile[]): Promise<void> {
  if (isFile(entry)) {
    found.push({ file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)), below });
    return;
  }
  if (!isFolder(entry)) return;
  const reader = entry.createReader();
  // Gives some at a time, and nothing once it has given all.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return;
    for (const child of some) await collect(child, `${below}${entry.name}/`, found);
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

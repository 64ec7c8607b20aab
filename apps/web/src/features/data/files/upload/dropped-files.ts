let waiting: readonly File[] = [];

/** Keeps files that were dropped on a page until the dialog that it opens takes them. */
export function keepDropped(files: readonly File[]): void {
  waiting = files;
}

export function takeDropped(): readonly File[] {
  const files = waiting;
  waiting = [];
  return files;
}

/** Folders come among the files, but cannot be read as such. */
export function dropped({ items, files }: DataTransfer): { files: File[]; folders: number } {
  const isFolder = [...items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => item.webkitGetAsEntry()?.isDirectory === true);
  return {
    files: [...files].filter((_, index) => isFolder[index] !== true),
    folders: isFolder.filter(Boolean).length,
  };
}

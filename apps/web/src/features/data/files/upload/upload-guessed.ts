import { guessFileType, HEAD_BYTES } from './guess-file-type.ts';
import { planNames } from './upload-names.ts';
import { startUploads } from './uploads.ts';

/** The first lines. What cannot be read is not refused here: sending it says why. */
export const headOf = (file: File): Promise<string> =>
  file
    .slice(0, HEAD_BYTES)
    .text()
    .catch(() => '');

/** Sends files into the root of a project at once, each as what it looks like. `taken` are names in lower case. */
export async function uploadGuessed(
  projectId: string,
  files: readonly File[],
  taken: ReadonlySet<string>,
): Promise<void> {
  const names = planNames(
    files.map(({ name }) => ({ fileName: name, typedName: undefined })),
    taken,
  );
  startUploads(
    await Promise.all(
      files.map(async (file, index) => ({
        projectId,
        folderId: null,
        fileType: guessFileType(file.name, await headOf(file)).type,
        name: names[index]?.name ?? file.name,
        file,
      })),
    ),
  );
}

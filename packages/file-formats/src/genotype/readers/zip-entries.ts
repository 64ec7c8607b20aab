import { archiveFiles, type ZipArchive } from '../../compression/zip-archive.ts';
import { FileFormatError } from '../../problem.ts';
import { encodingOfHead } from '../../text/encoding.ts';
import { decodeText } from '../../text/line-blocks.ts';

/**
 * The one file of an archive with this extension. Throws {@link FileFormatError} with the code when there is none or
 * there are several.
 */
export function soleEntry(zip: ZipArchive, extension: string, code: string): string {
  const found = archiveFiles(zip).filter((name) => name.toLowerCase().endsWith(extension));
  const [name] = found;
  if (found.length === 1 && name !== undefined) return name;
  throw new FileFormatError(code, {
    value: found.join(', '),
    message:
      found.length === 0 ? `The zip has no ${extension} file.` : `The zip has ${found.length} ${extension} files.`,
    suggestion: 'Pack exactly the files of one data set into the zip.',
  });
}

/** All text of a file of an archive that is small beside the calls; its byte order mark is gone. */
export async function readEntryText(
  zip: ZipArchive,
  name: string,
  options: { onLegacyText: () => void; signal?: AbortSignal | undefined },
): Promise<string> {
  const bytes = await readEntryBytes(zip, name, options);
  const head = encodingOfHead(bytes);
  return head === null || head.encoding === 'utf-8'
    ? decodeText(bytes.subarray(head?.bomLength ?? 0), options.onLegacyText)
    : new TextDecoder(head.encoding).decode(bytes);
}

/** All bytes of such a file. */
export async function readEntryBytes(
  zip: ZipArchive,
  name: string,
  options: { signal?: AbortSignal | undefined },
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of zip.stream(name, MAX_LIST_BYTES)) {
    options.signal?.throwIfAborted();
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

/** Lists of samples and markers; 500 MB are some ten million markers. */
export const MAX_LIST_BYTES = 500_000_000;

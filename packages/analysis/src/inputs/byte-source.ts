import { type ByteSource, openFileSource as openSource } from '@heterosis/file-formats/byte-source';

/** Opens a file on disk for reading. Rejects with the system's error when it cannot be opened. */
export function openFileSource(path: string): Promise<ByteSource> {
  return openSource(path);
}

/** Where a build says what is in each of its chunks. */
export const CHUNK_LIST = '.chunks.json';

export interface ListedChunk {
  fileName: string;
  isEntry: boolean;
  facadeModuleId: string | null;
  /** Chunks that it imports statically. */
  imports: string[];
  moduleIds: string[];
}

import type { File, FileType } from '@heterosis/contracts/data/files';
import { useQuery } from '@tanstack/react-query';
import { filesQuery } from '../files.api.ts';
import { isUsable } from './file-picker.tsx';

/**
 * The file of a type that a run is proposed on: the only one that can be used, or, of several, the one that the latest
 * run took (`latestId`). Where somebody has named one (`namedId`), that alone, once its check has ended.
 */
export function useProposedFile(
  projectId: string,
  type: FileType,
  latestId?: string | null,
  namedId?: string,
): File | undefined {
  const { data } = useQuery(filesQuery(projectId, { types: [type] }));
  const usable = data?.filter(isUsable) ?? [];
  if (namedId !== undefined) return usable.find(({ id }) => id === namedId);
  return usable.length === 1 ? usable[0] : usable.find(({ id }) => id === latestId);
}

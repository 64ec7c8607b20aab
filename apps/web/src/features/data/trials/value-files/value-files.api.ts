import type { ValueFileChoices, ValueFileReview } from '@heterosis/contracts/data/value-files';
import { valueFilesApi } from '@heterosis/contracts/endpoints/data/value-files';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../../lib/api/api-client.ts';
import { keys } from '../../../../lib/api/query-keys.ts';

export type Choices = Partial<ValueFileChoices>;

function formOf(file: File, choices: Choices): FormData {
  const form = new FormData();
  form.append('choices', JSON.stringify(choices));
  form.append('file', file, file.name);
  return form;
}

let lastFile = 0;
const numbers = new WeakMap<File, number>();
/** Two files of one name and size may differ. */
function numberOf(file: File): number {
  const number = numbers.get(file) ?? ++lastFile;
  numbers.set(file, number);
  return number;
}

/** What a file would change. Which differences are taken changes nothing of it. */
export const reviewQuery = (projectId: string, id: string, file: File | undefined, choices: Choices) =>
  queryOptions({
    queryKey: [...keys.trials(projectId), 'file', id, file === undefined ? 0 : numberOf(file), choices],
    queryFn: ({ signal }) =>
      call(
        valueFilesApi.reviewValuesFile,
        { project_id: projectId, id, body: formOf(file ?? new File([], ''), choices) },
        { signal },
      ),
    enabled: file !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });

export function useRecordFile(projectId: string, id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ file, choices }: { file: File; choices: Choices }) =>
      call(valueFilesApi.recordValuesFile, { project_id: projectId, id, body: formOf(file, choices) }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keys.trials(projectId) });
      await client.invalidateQueries({ queryKey: keys.project(projectId) });
    },
  });
}

export type FileDifference = ValueFileReview['differences']['data'][number];
/** Names a difference in a set of those that are decided the other way. */
export const keyOfDifference = ({ trial_id: trial, plot, trait }: Omit<FileDifference, 'value'>): string =>
  `${trial} ${plot} ${trait}`;

import { plotPhotosApi } from '@heterosis/contracts/endpoints/data/photos';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../../lib/api/api-client.ts';
import { listAll } from '../../../../lib/api/pages.ts';
import { keys } from '../../../../lib/api/query-keys.ts';

/** Photos of a plot, the latest first. */
export const plotPhotosQuery = (projectId: string, trialId: string, plot: number) =>
  queryOptions({
    queryKey: [...keys.trials(projectId), 'photos', trialId, plot],
    queryFn: ({ signal }) =>
      listAll(plotPhotosApi.listPhotos, { project_id: projectId, id: trialId, query: { plot } }, signal),
  });

export function usePhotoMutations(projectId: string, trialId: string, plot: number) {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: plotPhotosQuery(projectId, trialId, plot).queryKey });
  const of = { project_id: projectId, id: trialId };
  return {
    change: useMutation({
      mutationFn: ({ id, note }: { id: string; note: string | null }) =>
        call(plotPhotosApi.changePhoto, { ...of, photo_id: id, body: { note } }),
      onSettled,
    }),
    remove: useMutation({
      mutationFn: (id: string) => call(plotPhotosApi.deletePhoto, { ...of, photo_id: id }),
      onSettled,
    }),
  };
}

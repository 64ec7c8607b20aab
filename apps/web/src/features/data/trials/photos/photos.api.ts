import type { Photo } from '@heterosis/contracts/data/photos';
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

/** The bytes of a picture, which never change. */
export const pictureQuery = (projectId: string, photo: Photo, size: 'full' | 'thumbnail') =>
  queryOptions({
    queryKey: ['picture', projectId, photo.id, size, photo.has_thumbnail],
    queryFn: async ({ signal }) => {
      const of = { project_id: projectId, id: photo.trial_id, photo_id: photo.id };
      return await (await call(plotPhotosApi.readPhoto, { ...of, query: { size } }, { signal })).blob();
    },
    staleTime: Number.POSITIVE_INFINITY,
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

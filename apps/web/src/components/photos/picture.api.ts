import type { Photo } from '@heterosis/contracts/data/photos';
import { plotPhotosApi } from '@heterosis/contracts/endpoints/data/photos';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/api-client.ts';

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

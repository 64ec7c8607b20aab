import { listPhotosOfProjects, listPlots, type PhotoRow } from '../../data/trials/index.ts';
import { splitId } from '../ids.ts';
import { complete, type ListEntity, segmentOf } from '../list-entity.ts';

interface ImageRow {
  photo: PhotoRow;
  /** Place of the plot among those of its trial. */
  place: number;
}

/** Filters of numbers: `{name}Min` and `{name}Max`. */
const NUMBERS = {
  imageFileSize: ({ size_bytes }: PhotoRow) => size_bytes,
  imageHeight: ({ height }: PhotoRow) => height,
  imageWidth: ({ width }: PhotoRow) => width,
};

/** Photos of plots of trials. Of one that a client has announced and not sent yet there is no `imageURL`. */
export const images: ListEntity<ImageRow> = {
  name: 'images',
  id: 'imageDbId',
  hasSearch: true,
  paths: { observationDbId: 'observationDbIds', descriptiveOntologyTerm: 'descriptiveOntologyTerms' },
  async segments(scope, asked) {
    const [programs, names, crops] = [
      asked.take('programDbId'),
      asked.take('programName'),
      asked.take('commonCropName'),
    ];
    const projects = scope.projects.filter(
      ({ organization_id: id, organization_name: name, crop_name: crop }) =>
        (programs?.includes(id) ?? true) && (names?.includes(name) ?? true) && (crops?.includes(crop ?? '') ?? true),
    );
    const ids = asked.take('imageDbId')?.flatMap((id) => {
      const split = splitId(id);
      return split === undefined || split.row !== undefined ? [] : [split.fileId];
    });
    const isTaken = asked.timeRange('imageTimeStampRange');
    const ranges = Object.entries(NUMBERS).map(([name, of]) => {
      const [least, most] = [asked.number(`${name}Min`), asked.number(`${name}Max`)];
      return (photo: PhotoRow): boolean => {
        const value = of(photo) ?? Number.NaN;
        return (least === undefined || value >= least) && (most === undefined || value <= most);
      };
    });
    // An area on the map: no photo says where it was taken.
    const isAnywhere = asked.take('imageLocation') === undefined;
    const rows = await listPhotosOfProjects(
      scope.db,
      projects.map(({ id }) => id),
      ids,
    );
    const wanted = rows.filter(
      (photo) =>
        isAnywhere && (isTaken?.(Date.parse(photo.taken_at)) ?? true) && ranges.every((isWithin) => isWithin(photo)),
    );
    const places = new Map<string, Map<number, number>>();
    for (const id of new Set(wanted.map(({ trial_id }) => trial_id)))
      places.set(id, new Map((await listPlots(scope.db, id)).map(({ number }, place) => [number, place])));
    return [segmentOf(wanted.map((photo) => ({ photo, place: places.get(photo.trial_id)?.get(photo.plot) ?? 0 })))];
  },
  serialize: (scope, rows) =>
    rows.map(({ photo, place }) => {
      const { id, project_id: projectId, trial_id: trialId, client_details: said } = photo;
      return complete('images', {
        additionalInfo: { ...said?.additionalInfo, studyDbId: trialId, trialDbId: projectId },
        copyright: said?.copyright ?? null,
        description: photo.note,
        descriptiveOntologyTerms: said?.descriptiveOntologyTerms ?? [],
        externalReferences: said?.externalReferences ?? [],
        imageDbId: id,
        imageFileName: photo.name,
        imageFileSize: photo.storage_key === null ? null : photo.size_bytes,
        imageHeight: photo.height,
        imageName: said?.imageName ?? photo.name,
        imageTimeStamp: photo.taken_at,
        imageURL:
          photo.storage_key === null
            ? null
            : `${scope.origin}/api/projects/${projectId}/trials/${trialId}/photos/${id}/image`,
        imageWidth: photo.width,
        mimeType: photo.content_type,
        observationDbIds: said?.observationDbIds ?? [],
        observationUnitDbId: `${trialId}-${place}`,
      });
    }),
};

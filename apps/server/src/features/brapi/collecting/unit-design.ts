import type { DesignOfRow } from '@heterosis/file-formats/tables/phenotype/phenotype-records';
import { designOfPosition } from '../entities/unit-positions.ts';
import type { NewUnit } from './collected.ts';

/** Name, position and treatment of a unit. */
export function designOfUnit({
  observationUnitName: plot,
  observationUnitPosition: position,
  treatments,
}: NewUnit): DesignOfRow {
  const [treatment] = treatments ?? [];
  return {
    plot,
    ...designOfPosition({
      levels: (position?.observationLevelRelationships ?? []).map(({ levelName: name, levelCode: code }) => ({
        name,
        code,
      })),
      ...{ x: position?.positionCoordinateX, xType: position?.positionCoordinateXType },
      ...{ y: position?.positionCoordinateY, yType: position?.positionCoordinateYType },
    }),
    ...(treatment?.modality != null && treatment.modality !== '' ? { treatment: treatment.modality } : {}),
  };
}

import { classesOfMarker } from '@heterosis/analysis/genotype/dosage-class-counts';
import type { MarkerClasses } from '@heterosis/contracts/data/files-qc';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { filesApi } from '@heterosis/contracts/endpoints/data/files';
import { type FoundMarker, findMarker } from '@heterosis/file-formats/genotype/panel/bim-index';
import { parseBim } from '@heterosis/file-formats/genotype/panel/plink-panel';
import { dosageClasses } from '@heterosis/statgen/genotypes/dosage-classes';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import type { ObjectStorage } from '../../../platform/object-storage/object-storage.ts';
import { STORED_ORDER } from '../../../platform/object-storage/stored-panel.ts';
import { derivedKey, readCalls, requireGenotype } from './checked-file.ts';
import { readGenotypeQc } from './file-content.service.ts';
import type { FileRow } from './files.queries.ts';

/** `GET …/files/{id}/markers/{marker}`. */
export async function getMarkerClasses(
  { services: { db, storage }, access: { projectId } }: ProjectCall,
  { file_id: id, marker }: InputOf<typeof filesApi.getMarkerClasses>,
): Promise<MarkerClasses> {
  const file = await requireGenotype(db, projectId, id);
  const found = await find(storage, file, marker);
  if (found === null) {
    throw new Problem(
      'files/unknown-marker',
      `"${file.name}" has no marker "${marker}". Names are written as in the file.`,
    );
  }
  const { packed, dosages, panelSize, ploidy } = await readCalls(storage, file, { first: found.place, count: 1 });
  const classes = new Uint8Array(panelSize);
  dosageClasses({ packed, dosages }, 0, { panelSize }, classes);
  const { double_reduction: doubleReduction = null } = await readGenotypeQc(storage, file);
  const { counts, missing, expected, expectedWithDoubleReduction, negLog10P } = classesOfMarker(
    classes,
    ploidy,
    doubleReduction,
  );
  const { chromosome, positionBp, a1, a2 } = parseBim(found.line, { name: file.name, order: STORED_ORDER });
  return {
    ...{ id: marker, chromosome: chromosome[0] ?? '', position_bp: positionBp[0] ?? 0 },
    ...{ a1: a1[0] ?? '', a2: a2[0] ?? '', ploidy, missing, counts, expected },
    expected_with_double_reduction: expectedWithDoubleReduction,
    double_reduction: doubleReduction,
    neg_log10_p: negLog10P,
  };
}

async function find(storage: ObjectStorage, file: FileRow, marker: string): Promise<FoundMarker | null> {
  const bim = await storage.open(derivedKey(file, 'bim'), file.name);
  try {
    return await findMarker(bim, marker);
  } finally {
    await bim.close();
  }
}

import { normalizeName } from '@heterosis/file-formats/names/normalize-name';
import type { BrapiScope } from '../scope.ts';
import { isPhenotype, type Study } from '../studies.ts';

/** How many individuals of a study have one of the names. */
export async function withIndividuals(
  { files }: BrapiScope,
  study: Study,
  names: ReadonlySet<string> | undefined,
): Promise<number> {
  if (names === undefined || names.size === 0) return 0;
  return (await individualsOfStudy({ files }, study)).filter((name) => names.has(normalizeName(name))).length;
}

/** The individuals of a study, as written, each once. */
export async function individualsOfStudy({ files }: Pick<BrapiScope, 'files'>, study: Study): Promise<string[]> {
  if (!isPhenotype(study)) return await files.samples(study.file);
  const { units, unitsOf } = await files.records(study.file);
  return [...new Set(Array.from(unitsOf[study.environment] ?? [], (place) => units[place]?.individual ?? ''))];
}

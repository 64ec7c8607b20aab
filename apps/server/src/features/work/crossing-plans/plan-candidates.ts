import { matchIndividuals } from '@heterosis/analysis/inputs/match-names';
import type { CrossingPlanParameters } from '@heterosis/contracts/work/crossing-plans';
import type { Services } from '../../../platform/http/app.ts';
import { type FileRow, readIndividuals, readSampleNames } from '../../data/files/index.ts';
import { individualsWithGebv, type ModelRow } from '../models/index.ts';

/** What the candidates of a plan are named in. */
export interface CandidateSource {
  from: CrossingPlanParameters['candidates_from'];
  model: ModelRow;
  traits: readonly string[];
  genotype?: FileRow | undefined;
  pedigree?: FileRow | undefined;
}

/** Everyone who can be a candidate: all of the genotype, or all with GEBVs in the model. */
export async function readKnownNames(
  { storage, tables }: Pick<Services, 'storage' | 'tables'>,
  { from, model, traits, genotype }: CandidateSource,
): Promise<string[]> {
  if (from === 'model') return await individualsWithGebv(tables, model, traits);
  return genotype === undefined ? [] : await readSampleNames(storage, genotype);
}

/** Which of these individuals a pedigree has, by the shared rule for names. */
export async function readPedigreed(
  { storage }: Pick<Services, 'storage'>,
  pedigree: FileRow,
  names: readonly string[],
): Promise<Set<string>> {
  const { both } = matchIndividuals(names, await readIndividuals(storage, pedigree), { suggestionsPerName: 0 });
  return new Set(both.map(({ left }) => left));
}

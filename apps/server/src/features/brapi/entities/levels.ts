import type { BrapiScope } from '../scope.ts';
import type { Recorded } from '../stored-files.ts';
import type { PhenotypeStudy } from '../studies.ts';
import type { ObservedTrait } from './mean-records.ts';

/** What lies where in a study. Lines of a study have means, rows of its file are plots or stand for them. */
export const LEVELS = {
  study: { levelName: 'study', levelOrder: 0 },
  rep: { levelName: 'rep', levelOrder: 1 },
  block: { levelName: 'block', levelOrder: 2 },
  plot: { levelName: 'plot', levelOrder: 3 },
} as const;

/** The units of a level of a study. */
export interface StudyUnits {
  study: PhenotypeStudy;
  level: 'plot' | 'study';
  /** Before the places of units and observations in their ids. */
  prefix: string;
  traits: readonly ObservedTrait[];
  /** Place among the environments of the records. */
  environment: number;
  count: number;
  read(): Promise<Recorded>;
  /** The trial analysis that the means are from. */
  analysis: { id: string; name: string } | null;
}

export function plotsOfStudy({ files }: BrapiScope, study: PhenotypeStudy): StudyUnits {
  const { file, environment, design } = study;
  return {
    ...{ study, environment, level: 'plot', prefix: file.id, traits: design.traits, analysis: null },
    count: design.unitCounts[environment] ?? 0,
    read: () => files.records(file),
  };
}

/** The means of a study by the newest trial analysis of its project; undefined where that has none. */
export async function meansOfStudy(scope: BrapiScope, study: PhenotypeStudy): Promise<StudyUnits | undefined> {
  const analysis = (await scope.listAnalyses()).get(study.project.id);
  if (analysis === undefined || !Object.values(analysis.file_ids).includes(study.file.id)) return undefined;
  const records = await scope.files.means(analysis);
  const name = study.design.environments[study.environment]?.name;
  const environment = records.environments.findIndex(
    (one, place) => records.fileIds[place] === study.file.id && (name === null || one.name === name),
  );
  const count = records.unitsOf[environment]?.length ?? 0;
  if (count === 0) return undefined;
  return {
    ...{ study, environment, level: 'study', prefix: analysis.id, traits: records.traits, count },
    read: async () => records,
    analysis: { id: analysis.id, name: analysis.name },
  };
}

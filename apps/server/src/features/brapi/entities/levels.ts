import type { BrapiScope } from '../scope.ts';
import type { Recorded } from '../stored-files.ts';
import type { PhenotypeStudy } from '../studies.ts';
import { countFigures, type ObservedTrait } from './mean-records.ts';

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
  /** Before the numbers of units and observations in their ids. */
  prefix: string;
  /** The numbers that its units may have, and its observations: the first of the records has the first. */
  numbers: { first: number; end: number };
  traits: readonly ObservedTrait[];
  /** Place among the environments of the records. */
  environment: number;
  count: number;
  /** How many observations some of the traits have, or all; null where only reading tells. */
  countOf: ((traits: ReadonlySet<number> | undefined) => number) | null;
  read(): Promise<Recorded>;
  /** The trial analysis that the means are from. */
  analysis: { id: string; name: string } | null;
}

const ALL_NUMBERS = { first: 0, end: Number.POSITIVE_INFINITY };

export function plotsOfStudy({ files }: BrapiScope, study: PhenotypeStudy): StudyUnits {
  const { file, environment, design } = study;
  return {
    ...{
      study,
      environment,
      level: 'plot',
      prefix: file.id,
      numbers: ALL_NUMBERS,
      traits: design.traits,
      analysis: null,
    },
    count: design.unitCounts[environment] ?? 0,
    countOf: null,
    read: () => files.records(file),
  };
}

/** Each environment of an analysis has so many numbers for its units, and for its observations. */
const NUMBERS = 1e9;

/** The means of a study by the newest trial analysis of its project; undefined where that has none. */
export async function meansOfStudy(scope: BrapiScope, study: PhenotypeStudy): Promise<StudyUnits | undefined> {
  const analysis = (await scope.listAnalyses()).get(study.project.id);
  if (analysis === undefined || !Object.values(analysis.file_ids).includes(study.file.id)) return undefined;
  const { traits, environments } = await scope.files.meansIndex(analysis);
  const name = study.design.environments[study.environment]?.name;
  const place = environments.findIndex((one) => one.fileId === study.file.id && (name === null || one.name === name));
  const found = environments[place];
  if (found === undefined) return undefined;
  return {
    ...{ study, traits, level: 'study', prefix: analysis.id },
    numbers: { first: place * NUMBERS, end: (place + 1) * NUMBERS },
    ...{ environment: 0, count: found.lines },
    countOf: (some) => countFigures(found.figures, some),
    read: () => scope.files.means(analysis, found.name),
    analysis: { id: analysis.id, name: analysis.name },
  };
}

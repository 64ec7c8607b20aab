import type { ProgrammeMaterialBody } from '@heterosis/contracts/work/programmes';
import type { ProgrammeScheme, ProgrammeStage } from '@heterosis/contracts/work/programmes/programme-schemes';
import { type SchemeSizes, schemeSizes } from '@heterosis/contracts/work/programmes/programme-sizes';
import {
  schemeOfTemplate,
  type TemplateInput,
  type TemplateName,
  UNKNOWN_LOCUS,
  USUAL_COSTS,
} from '@heterosis/contracts/work/programmes/programme-templates';

/** Variances to begin with, where no trial analysis says them: those of a genetic variance of one. */
const USUAL_ERROR = { environment: 0.83, plot: 1.5 };

/** Places that templates are written for until the founders are known. */
const UNKNOWN_FOUNDERS = 60;

/** What templates are filled with: the project's own lines, trait and variances, and the prices last typed. */
export function templateInput(
  material: ProgrammeMaterialBody | undefined,
  about: { trait: string; truth: 'model' | 'architecture' },
  { schemes, variance }: { schemes: readonly ProgrammeScheme[]; variance: number },
): TemplateInput {
  const { trait } = about;
  const measured = measuredOf(material, about);
  const scale = variance > 0 ? variance : 1;
  const usual = { environment: USUAL_ERROR.environment * scale, plot: USUAL_ERROR.plot * scale };
  const error =
    measured === undefined ? usual : { environment: measured.environment ?? usual.environment, plot: measured.plot };
  return {
    founders: material?.founders ?? Array.from({ length: UNKNOWN_FOUNDERS }, (_, i) => String(i + 1)),
    trait,
    error: { environment: rounded(error.environment), plot: rounded(error.plot) },
    costs: schemes[0]?.costs ?? USUAL_COSTS,
  };
}

/** Four digits are more than an estimate of a variance has. */
export const rounded = (value: number): number => Number(value.toPrecision(4));

/**
 * Variances of a trait by its newest trial analysis. A guess of a trait needs those of lines from there too: errors
 * mean nothing beside a genetic variance on another scale.
 */
export function measuredOf(
  material: ProgrammeMaterialBody | undefined,
  { trait, truth }: { trait: string; truth: 'model' | 'architecture' },
): ProgrammeMaterialBody['variances'][number] | undefined {
  const measured = material?.variances.find((one) => one.trait === trait);
  return truth === 'model' || (measured?.genetic ?? 0) > 0 ? measured : undefined;
}

/** A scheme of a template whose name is not taken yet. */
export function newScheme(
  template: TemplateName,
  name: string,
  input: TemplateInput,
  taken: readonly ProgrammeScheme[],
): ProgrammeScheme {
  return schemeOfTemplate(template, freeName(name, taken), input);
}

export function freeName(name: string, taken: readonly ProgrammeScheme[]): string {
  const names = new Set(taken.map((one) => one.name));
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : `${name} ${n}`;
    if (!names.has(free)) return free;
  }
}

/** The scheme about these traits: what it says of others is said of the first. */
export function aboutTraits(scheme: ProgrammeScheme, traits: readonly string[]): ProgrammeScheme {
  const [first] = traits;
  if (first === undefined) return scheme;
  const renamed = (stages: readonly ProgrammeStage[]): ProgrammeStage[] =>
    stages.map((stage) =>
      'trait' in stage && stage.trait !== undefined && !traits.includes(stage.trait)
        ? { ...stage, trait: first }
        : stage,
    );
  return {
    ...scheme,
    start: renamed(scheme.start),
    cycle: renamed(scheme.cycle),
    ...(scheme.end === undefined ? {} : { end: renamed(scheme.end) }),
  };
}

/** Names that a stage takes: lines of the founders, or markers; null for the others. */
export function namesOf(stage: ProgrammeStage): { field: 'individuals' | 'loci'; names: readonly string[] } | null {
  if (stage.do === 'take' && stage.individuals !== undefined) return { field: 'individuals', names: stage.individuals };
  if (stage.do === 'score' && stage.loci !== undefined) return { field: 'loci', names: stage.loci };
  return null;
}

/** The scheme with other names in every stage that had these. */
export function withNames(
  scheme: ProgrammeScheme,
  { field, names }: NonNullable<ReturnType<typeof namesOf>>,
  wanted: readonly string[],
): ProgrammeScheme {
  const before = names.join('\n');
  const renamed = (stages: readonly ProgrammeStage[]): ProgrammeStage[] =>
    stages.map((stage) => {
      const own = namesOf(stage);
      return own?.field === field && own.names.join('\n') === before
        ? ({ ...stage, [field]: [...wanted] } as ProgrammeStage)
        : stage;
    });
  return {
    ...scheme,
    start: renamed(scheme.start),
    cycle: renamed(scheme.cycle),
    ...(scheme.end === undefined ? {} : { end: renamed(scheme.end) }),
  };
}

/** Whether a marker is still to be named. */
export const lacksMarker = ({ start, cycle, end = [] }: ProgrammeScheme): boolean =>
  [...start, ...cycle, ...end].some((stage) => namesOf(stage)?.names.includes(UNKNOWN_LOCUS) === true);

/** Years of a list with the stages that begin in each, in their order. */
export function yearsOf(
  { stages }: SchemeSizes,
  list: SchemeSizes['stages'][number]['list'],
): { year: number; cost: number; stages: SchemeSizes['stages'] }[] {
  const byYear = Map.groupBy(
    stages.filter((stage) => stage.list === list),
    ({ begins }) => Math.floor(begins + 1e-9),
  );
  return [...byYear].map(([year, ofYear]) => ({
    year,
    cost: ofYear.reduce((sum, { cost }) => sum + cost, 0),
    stages: ofYear,
  }));
}

export const sizesOf = (scheme: ProgrammeScheme, material: ProgrammeMaterialBody | undefined): SchemeSizes =>
  schemeSizes(scheme, material?.founders.length ?? UNKNOWN_FOUNDERS);

import { readFile } from 'node:fs/promises';
import type { CrossingEffects } from '@heterosis/analysis/crossing/crossing-effects';
import { readParentalHaplotypes } from '@heterosis/analysis/crossing/parental-haplotypes';
import { ploidyOf } from '@heterosis/analysis/crossing/polyploids';
import { POPULATIONS } from '@heterosis/analysis/crossing/populations';
import { openCrosses } from '@heterosis/analysis/crossing/read-crossing-files';
import {
  candidatesOfModel,
  type PlanPedigree,
  planTablesOfModel,
  relationshipByPedigree,
} from '@heterosis/analysis/planning/pedigree-tables';
import { planTables } from '@heterosis/analysis/planning/plan-tables';
import { polyploidPlanTables } from '@heterosis/analysis/planning/polyploid-plan-tables';
import { parseModelJson } from '@heterosis/analysis/prediction/model-file';
import { type CommandIo, inputError } from './command.ts';
import { knownTraits, openOriginal, readEffectsOption, warnings } from './crossing-inputs.ts';
import { withGenotype } from './options/genotype-option.ts';
import { readMapOption, reportMap } from './options/map-options.ts';
import { givenPedigree, readPedigreeOption } from './options/model-options.ts';

/** What `heterosis plan` reads. */
interface PlanSourceOptions {
  model: string | undefined;
  effects: string | undefined;
  genotype: string | undefined;
  pedigree: string | undefined;
  'pedigree-columns': string[] | undefined;
  map: string | undefined;
  'map-unit': string | undefined;
  traits: string[] | undefined;
  candidates: string | undefined;
  required: string | undefined;
  forbidden: string | undefined;
  population: string;
  'double-reduction': number;
  founders: PlanPedigree['founders'];
}

interface PlanMaterial {
  tables: ReturnType<typeof planTables>['tables'];
  /** Markers of the effects that the genotype has; null without genotype. */
  markers: number | null;
  required: [string, string][];
  forbidden: [string, string][];
}

/** The traits of the index, and the candidates as soon as they are asked for. */
interface PlanSource {
  traits: { name: string }[];
  read: () => Promise<PlanMaterial>;
}

/** Without a linkage map. */
const BP_PER_CM = 1_000_000;

/** Opens what a plan is made from: effects and genotypes, or a model and a pedigree. */
export async function openPlanSource(options: PlanSourceOptions, io: CommandIo): Promise<PlanSource> {
  const { genotype } = options;
  if (genotype === undefined) return await sourceWithoutMarkers(options, io);
  const all = await readEffectsOption('plan', options, io);
  const traits = chosenTraits(all, options);
  return { traits, read: () => readWithMarkers({ ...all, traits }, { ...options, genotype }, io) };
}

function chosenTraits<Trait extends { name: string }>(all: { traits: Trait[] }, options: PlanSourceOptions): Trait[] {
  const names = knownTraits(all, 'traits', options.traits ?? all.traits.map(({ name }) => name));
  return names.flatMap((name) => all.traits.filter((trait) => trait.name === name));
}

async function readWithMarkers(
  effects: CrossingEffects,
  options: PlanSourceOptions & { genotype: string },
  io: CommandIo,
): Promise<PlanMaterial> {
  const population = POPULATIONS.find((name) => name === options.population) ?? null;
  const map = await readMapOption(options, io);
  const pedigree = await givenPedigree(options, io);
  requireDescent(pedigree, options);
  return await withGenotype(options.genotype, io, async (panel) => {
    const names =
      options.candidates === undefined
        ? panel.samples
        : await readNames(options.candidates, panel.samples, 'the genotype');
    const ploidy = ploidyOf(panel);
    const relationship =
      pedigree === undefined
        ? {}
        : { relationship: relationshipByPedigree(descentOf(pedigree, options), names, ploidy) };
    const original = await openOriginal(options.genotype);
    try {
      const from = { effects, population, map: map ?? { bpPerCm: BP_PER_CM } };
      if (ploidy > 2) {
        const made = await polyploidPlanTables({ ...from, panel, original, names, ...relationship }, io.context);
        if (options.map !== undefined) reportMap(made.mapReport.problems, options.map, io);
        const pairs = await readPairLists(options, panel.samples, io);
        return { tables: made.tables, markers: made.report.shared, ...pairs };
      }
      const parents = await readParentalHaplotypes(
        { panel, original, names, ignorePhase: population === null },
        io.context,
      );
      const { tables, report, mapReport } = planTables({ ...from, parents, ...relationship }, io.context);
      if (options.map !== undefined) reportMap(mapReport.problems, options.map, io);
      return { tables, markers: report.shared, ...(await readPairLists(options, panel.samples, io)) };
    } finally {
      await original?.close();
    }
  });
}

function requireDescent(pedigree: object | undefined, { 'double-reduction': rate }: PlanSourceOptions): void {
  if (pedigree !== undefined || rate === 0) return;
  throw inputError(
    'E-CLI-OPTION',
    'Double reduction is about coancestries by pedigree.',
    'Give --pedigree, or leave out --double-reduction.',
  );
}

const descentOf = (
  table: PlanPedigree['table'],
  { 'double-reduction': doubleReduction, founders }: PlanSourceOptions,
): PlanPedigree => ({ table, doubleReduction, ...(founders === undefined ? {} : { founders }) });

async function sourceWithoutMarkers(options: PlanSourceOptions, io: CommandIo): Promise<PlanSource> {
  if (options.pedigree === undefined || options.model === undefined || options.effects !== undefined) {
    throw inputError(
      'E-CLI-MISSING',
      'plan needs --genotype, or --model and --pedigree for candidates without markers.',
      'Run: heterosis plan --help',
    );
  }
  const model = parseModelJson(await readFile(options.model, 'utf8'));
  const traits = chosenTraits({ traits: model.traits.filter(({ fit }) => fit !== null) }, options);
  const pedigree = await readPedigreeOption({ ...options, pedigree: options.pedigree }, io);
  const names = traits.map(({ name }) => name);
  const read = async (): Promise<PlanMaterial> => {
    const wanted =
      options.candidates === undefined
        ? null
        : await readNames(options.candidates, candidatesOfModel(model, names), 'the model');
    const tables = planTablesOfModel(model, names, descentOf(pedigree, options), wanted);
    return { tables, markers: null, ...(await readPairLists(options, tables.candidates, io)) };
  };
  return { traits, read };
}

async function readNames(path: string, known: readonly string[], where: string): Promise<string[]> {
  const wanted = (await readFile(path, 'utf8')).split(/\r?\n/).map((line) => line.trim());
  const names = [...new Set(wanted.filter((name) => name !== ''))];
  const isKnown = new Set(known);
  const unknown = names.find((name) => !isKnown.has(name));
  if (unknown === undefined) return names;
  throw inputError('E-CLI-VALUE', `The candidate "${unknown}" is not in ${where}.`, `Correct the name in ${path}.`);
}

async function readPairLists(
  options: Pick<PlanSourceOptions, 'required' | 'forbidden'>,
  samples: readonly string[],
  io: CommandIo,
): Promise<Pick<PlanMaterial, 'required' | 'forbidden'>> {
  return {
    required: await readPairs(options.required, samples, io),
    forbidden: await readPairs(options.forbidden, samples, io),
  };
}

async function readPairs(
  path: string | undefined,
  samples: readonly string[],
  io: CommandIo,
): Promise<[string, string][]> {
  if (path === undefined) return [];
  const { value, problems } = await openCrosses(path, samples, io.context);
  io.report(warnings(problems), path);
  return value.map(({ female, male }) => [female, male]);
}

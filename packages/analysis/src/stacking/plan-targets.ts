import { compareChromosomes } from '@heterosis/file-formats/genotype/panel/chromosome-order';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { HOM_A1, HOM_A2, unpackCalls } from '@heterosis/file-formats/genotype/panel/packed-calls';
import { type LinkageMap, mapOfPositions } from '@heterosis/file-formats/tables/linkage-map/linkage-map';

import { planStack, type StackParent, type StackPlan, type StackTask } from '@heterosis/statgen/stacking/plan-stack';
import { MAX_LEAVES } from '@heterosis/statgen/stacking/pyramids';
import { recurrentShare } from '@heterosis/statgen/stacking/recurrent-share';
import { type StackFigures, simulateStack } from '@heterosis/statgen/stacking/simulate-stack';
import { StackingError } from '@heterosis/statgen/stacking/stacking-error';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { placeOnMap } from '../inputs/place-on-map.ts';

export interface StackTarget {
  marker: string;
  /** The favourable allele, as the genotype writes it. */
  allele: string;
}

export interface StackInput {
  panel: GenotypePanel;
  map: LinkageMap | { bpPerCm: number };
  targets: readonly StackTarget[];
  donors: readonly string[];
  recurrent?: string;
  backcrosses: number;
  order: StackTask['order'];
  ending: StackTask['ending'];
  mostFixing: number;
  probability: number;
  mostPlants: number;
  carriers: number;
  /** cM. */
  flank: number;
  costCross: number;
  costPlant: number;
  costGenome: number;
  costDh: number;
  replicates: number;
  seed: number;
}

export interface StackReport {
  targets: {
    marker: string;
    allele: string;
    chromosome: string;
    position_cm: number;
    /** Donors of the schedule that are homozygous for it. */
    donors: string[];
    in_recurrent: boolean;
  }[];
  recurrent: string | null;
  donors: string[];
  /** Donors that the schedule does not need. */
  unused_donors: string[];
  /** Parents that are heterozygous or missing at a target, where they count as without it. */
  unclear: { name: string; marker: string }[];
  probability: number;
  assurance: number;
  success: number;
  success_se: number;
  generations: number;
  plants: number;
  largest: number;
  fits: boolean;
  cost: number;
  steps: StackReportStep[];
  alternatives: { generations: number; plants: number; largest: number; fixing: number }[];
  /** Of the last plant, with a recurrent parent. */
  recurrent_share: number | null;
  recurrent_share_se: number | null;
  drag_cm: number | null;
  drag_cm_se: number | null;
}

export interface StackReportStep {
  step: string;
  generation: number;
  kind: StackPlan['steps'][number]['kind'];
  /** One parent is selfed, or gives doubled haploids. */
  parents: string[];
  plants: number;
  carriers: number;
  probability: number | null;
  /** Targets on each haplotype of the plant that is kept; null where the best of many is kept. */
  wanted: [string[], string[]] | null;
  cost: number;
  recurrent_share: number | null;
  recurrent_share_se: number | null;
  /** Of backcrosses: what a carrier at random would have. */
  random_share: number | null;
  drag_cm: number | null;
  flanks_free: number | null;
  replicates: number | null;
}

/**
 * The schedule that stacks target loci of several donors, see `planStack`. Parents are inbred: where one is
 * heterozygous or missing at a target it counts as without the favourable allele, and the report names it.
 *
 * @throws AnalysisError `stacking/…`: unknown names, alleles or places, and what makes a stack impossible
 */
export async function planTargets(input: StackInput, context: AnalysisContext): Promise<StackReport> {
  reportProgress(context, 'match', 0, 1);
  const { panel, targets } = input;
  const places = placesOf(input);
  const names = [...input.donors, ...(input.recurrent === undefined ? [] : [input.recurrent])];
  const parents = await carriedBy(panel, places, names);
  const bits = new Map(names.map((name, i) => [name, parents.bits[i]]));
  const recurrent = input.recurrent === undefined ? null : (bits.get(input.recurrent) ?? 0);
  const donors = neededDonors(input.donors, bits, { recurrent, count: targets.length, places });
  const task: StackTask = {
    loci: { chromosome: places.loci.map(({ c }) => c), morgan: places.loci.map(({ morgan }) => morgan) },
    donors: donors.map((name) => bits.get(name) ?? 0),
    recurrent,
    backcrosses: input.backcrosses,
    order: input.order,
    ending: input.ending,
    probability: input.probability,
    carriers: input.carriers,
    mostPlants: input.mostPlants,
    mostFixing: input.mostFixing,
    seed: input.seed,
    replicates: input.replicates,
  };
  reportProgress(context, 'cross', 0, 1);
  const plan = told(() => planStack(task), places);
  const genome = { lengths: places.lengths, flank: input.flank / 100 };
  const figures = recurrent === null ? null : simulateStack(task, plan, genome);
  reportProgress(context, 'cross', 1, 1);
  return reportOf(input, { places, donors, bits, unclear: parents.unclear, plan, figures });
}

interface Places {
  /** Targets in map order; chromosomes count from 0, Morgan from the first marker of the chromosome. */
  loci: { marker: string; allele: string; at: number; c: number; chromosome: string; cm: number; morgan: number }[];
  lengths: number[];
}

function placesOf({ panel, map, targets }: StackInput): Places {
  const { markers } = panel;
  const index = new Map(markers.id.map((id, j) => [id, j]));
  const seen = new Set<string>();
  for (const { marker, allele } of targets) {
    const at = index.get(marker);
    if (at === undefined) {
      throw new AnalysisError(
        'stacking/unknown-marker',
        `The target ${marker} is not a marker of the genotype.`,
        'Write it as in the genotype, or leave it out.',
      );
    }
    if (seen.has(marker)) {
      throw new AnalysisError('stacking/twice', `The target ${marker} is named twice.`, 'Name each target once.');
    }
    seen.add(marker);
    if (allele !== markers.a1[at] && allele !== markers.a2[at]) {
      throw new AnalysisError(
        'stacking/unknown-allele',
        `The target ${marker} has the alleles ${markers.a1[at]} and ${markers.a2[at]}, not ${allele}.`,
        'Give one of the two as the favourable allele.',
      );
    }
  }
  const positions = 'bpPerCm' in map ? mapOfPositions(markers, map.bpPerCm) : map;
  const placed = placeOnMap(positions, markers, { missingMarkers: 'interpolate' });
  const ends = new Map<string, { from: number; to: number }>();
  for (const [j, chromosome] of placed.chromosome.entries()) {
    const cm = placed.positionCm[j];
    if (!Number.isFinite(cm)) continue;
    const known = ends.get(chromosome) ?? { from: cm, to: cm };
    ends.set(chromosome, { from: Math.min(known.from, cm), to: Math.max(known.to, cm) });
  }
  const chromosomes = [...ends.keys()].sort(compareChromosomes);
  const loci = targets.map(({ marker, allele }) => {
    const at = index.get(marker) ?? -1;
    const cm = placed.positionCm[at];
    if (!Number.isFinite(cm)) {
      throw new AnalysisError(
        'stacking/no-place',
        `The target ${marker} has no position on the map.`,
        'Add it to the map, or take a marker beside it.',
      );
    }
    const chromosome = placed.chromosome[at];
    const morgan = (cm - (ends.get(chromosome)?.from ?? 0)) / 100;
    return { marker, allele, at, c: chromosomes.indexOf(chromosome), chromosome, cm, morgan };
  });
  loci.sort((a, b) => a.c - b.c || a.morgan - b.morgan || a.at - b.at);
  const lengths = chromosomes.map((name) => {
    const { from = 0, to = 0 } = ends.get(name) ?? {};
    return (to - from) / 100;
  });
  return { loci, lengths };
}

/** Which targets each parent is homozygous for, as bits in map order. */
async function carriedBy(panel: GenotypePanel, { loci }: Places, names: readonly string[]) {
  const index = new Map(panel.samples.map((name, i) => [name, i]));
  const unknown = names.find((name) => !index.has(name));
  if (unknown !== undefined) {
    throw new AnalysisError(
      'stacking/unknown-parent',
      `${unknown} is not in the genotype.`,
      'Write the name as in the genotype.',
    );
  }
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) {
    throw new AnalysisError(
      'stacking/twice',
      `${twice} is named twice among donors and recurrent parent.`,
      'Name each parent once.',
    );
  }
  const bits = names.map(() => 0);
  const unclear: { name: string; marker: string }[] = [];
  const codes = new Uint8Array(panel.samples.length);
  for (const [i, { marker, allele, at }] of loci.entries()) {
    unpackCalls(await panel.readPacked(at, 1), codes, 0);
    const favourable = allele === panel.markers.a2[at] ? HOM_A2 : HOM_A1;
    for (const [k, name] of names.entries()) {
      const code = codes[index.get(name) ?? 0];
      if (code === favourable) bits[k] |= 1 << i;
      else if (code !== HOM_A1 && code !== HOM_A2) unclear.push({ name, marker });
    }
  }
  return { bits, unclear };
}

/** The fewest donors that have every target the recurrent parent lacks; of those the first in the order given. */
function neededDonors(
  names: readonly string[],
  bits: ReadonlyMap<string, number>,
  { recurrent, count, places }: { recurrent: number | null; count: number; places: Places },
): string[] {
  const wanted = (2 ** count - 1) & ~(recurrent ?? 0);
  const carried = names.reduce((all, name) => all | (bits.get(name) ?? 0), 0);
  const missing = places.loci.filter((_, i) => (((wanted & ~carried) >>> i) & 1) === 1);
  if (missing.length > 0) {
    throw new AnalysisError(
      'stacking/not-carried',
      `No parent is homozygous for the favourable allele of ${missing.map(({ marker }) => marker).join(', ')}.`,
      'Add a donor that has it, choose the other allele, or leave the target out.',
    );
  }
  if (wanted === 0) {
    throw new AnalysisError(
      'stacking/nothing-to-do',
      'The recurrent parent has all targets.',
      'Add a target that it lacks, or choose another recurrent parent.',
    );
  }
  let best: string[] | null = null;
  const choose = (from: number, chosen: readonly string[], have: number): void => {
    if ((have & wanted) === wanted) {
      if (best === null || chosen.length < best.length) best = [...chosen];
      return;
    }
    if (from === names.length || chosen.length + 1 > Math.min(MAX_LEAVES, (best?.length ?? MAX_LEAVES + 1) - 1)) return;
    choose(from + 1, [...chosen, names[from]], have | (bits.get(names[from]) ?? 0));
    choose(from + 1, chosen, have);
  };
  choose(0, [], 0);
  if (best === null) {
    throw new AnalysisError(
      'stacking/donors',
      `No ${MAX_LEAVES} of the donors have all targets together.`,
      'Each further donor doubles the plants that are searched. Stack fewer targets at once, look for lines that have several of them, or make such lines first and name them as donors.',
    );
  }
  return best;
}

/** Errors of the plan with the names of its targets. */
function told<Answer>(plan: () => Answer, { loci }: Places): Answer {
  try {
    return plan();
  } catch (error) {
    if (!(error instanceof StackingError)) throw error;
    const message = error.message.replace(/[Tt]argets? (\d+(?:(?:, | and )\d+)*)/, (_all, numbers: string) =>
      numbers.replaceAll(/\d+/g, (number) => loci[Number(number) - 1]?.marker ?? number),
    );
    throw new AnalysisError(`stacking/${error.code}`, message, error.action);
  }
}

interface Found {
  places: Places;
  donors: readonly string[];
  bits: ReadonlyMap<string, number>;
  unclear: StackReport['unclear'];
  plan: StackPlan;
  figures: readonly StackFigures[] | null;
}

function reportOf(input: StackInput, { places, donors, bits, unclear, plan, figures }: Found): StackReport {
  const { recurrent = null } = input;
  const namesOf = (haplotype: number) =>
    places.loci.filter((_, i) => ((haplotype >>> i) & 1) === 1).map(({ marker }) => marker);
  const labels = labelsOf(plan);
  const parentName = (parent: StackParent): string =>
    'step' in parent ? labels[parent.step] : 'donor' in parent ? donors[parent.donor] : (recurrent ?? '');
  const steps = plan.steps.map((step, k): StackReportStep => {
    const figure = figures?.[k];
    return {
      step: labels[k],
      generation: step.generation,
      kind: step.kind,
      parents: step.parents.map(parentName),
      plants: step.plants,
      carriers: step.carriers,
      probability: step.probability,
      wanted: step.wanted && [namesOf(step.wanted[0]), namesOf(step.wanted[1])],
      cost: costOf(step, input),
      recurrent_share: finite(figure?.share),
      recurrent_share_se: finite(figure?.shareSe),
      random_share: step.kind === 'backcross' ? randomShare(places, plan, k) : null,
      drag_cm: finite(figure && 100 * figure.drag),
      flanks_free: finite(figure?.flanks),
      replicates: figure?.replicates ?? null,
    };
  });
  const last = figures?.at(-1);
  const { generations, plants, largest, fits, assurance, success, se, alternatives } = plan;
  return {
    targets: places.loci.map(({ marker, allele, chromosome, cm }, i) => ({
      ...{ marker, allele, chromosome, position_cm: cm },
      donors: donors.filter((name) => (((bits.get(name) ?? 0) >>> i) & 1) === 1),
      in_recurrent: recurrent !== null && (((bits.get(recurrent) ?? 0) >>> i) & 1) === 1,
    })),
    recurrent,
    donors: [...donors],
    unused_donors: input.donors.filter((name) => !donors.includes(name)),
    unclear,
    ...{ probability: input.probability, assurance, success, success_se: se },
    ...{ generations, plants, largest, fits },
    cost: steps.reduce((total, { cost }) => total + cost, 0),
    steps,
    alternatives,
    recurrent_share: finite(last?.share),
    recurrent_share_se: finite(last?.shareSe),
    drag_cm: finite(last && 100 * last.drag),
    drag_cm_se: finite(last && 100 * last.dragSe),
  };
}

const finite = (value: number | undefined): number | null =>
  value === undefined || !Number.isFinite(value) ? null : value;

/** Expected share of the recurrent parent in a plant taken at random among those with the targets of the donor. */
function randomShare({ loci, lengths }: Places, { steps }: StackPlan, at: number): number | null {
  const { wanted } = steps[at];
  if (wanted === null) return null;
  const kept = loci.filter((_, i) => (((wanted[0] & ~wanted[1]) >>> i) & 1) === 1);
  const located = { chromosome: kept.map(({ c }) => c), morgan: kept.map(({ morgan }) => morgan) };
  return recurrentShare(located, lengths, depthOf(steps, at) + 1);
}

/** Steps of the same kind from which this one comes. */
function depthOf(steps: StackPlan['steps'], at: number): number {
  const [first] = steps[at].parents;
  if (first === undefined || !('step' in first) || steps[first.step].kind !== steps[at].kind) return 0;
  return 1 + depthOf(steps, first.step);
}

/** What a population costs: its cross, its plants, and genome-wide markers of the carriers that are compared. */
function costOf(
  { kind, plants, carriers, probability }: StackPlan['steps'][number],
  { costCross, costPlant, costGenome, costDh }: StackInput,
): number {
  const cross = kind === 'cross' || kind === 'backcross' ? costCross : 0;
  const compared = kind === 'backcross' && carriers > 1 ? Math.max(carriers, plants * (probability ?? 0)) : 0;
  // A single plant of an F1 is like its sisters and is not genotyped.
  const searched = probability === 1 ? 0 : plants;
  return cross + searched * costPlant + compared * costGenome + (kind === 'dh' ? plants * costDh : 0);
}

/** Short names of the populations: F1 and crosses are numbered, backcrosses by generation and number. */
function labelsOf({ steps }: StackPlan): string[] {
  const counts = new Map<string, number>();
  const stems = steps.map(({ kind }, k) => {
    if (kind === 'cross') return 'C';
    if (kind === 'dh') return 'DH';
    return `${kind === 'backcross' ? 'BC' : 'S'}${depthOf(steps, k) + 1}`;
  });
  const total = new Map<string, number>();
  for (const stem of stems) total.set(stem, (total.get(stem) ?? 0) + 1);
  return stems.map((stem) => {
    const number = (counts.get(stem) ?? 0) + 1;
    counts.set(stem, number);
    return stem === 'C' ? `C${number}` : (total.get(stem) ?? 0) > 1 ? `${stem}-${number}` : stem;
  });
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ByteSource } from '@heterosis/file-formats/byte-source';
import { MISSING_POLYPLOID, POLYPLOID_UNITS, ploidyOf } from '@heterosis/file-formats/genotype/panel/dosages';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { MISSING_ALLELE, readHaplotypes } from '@heterosis/file-formats/genotype/read-haplotypes';
import { type Cross, parentsOfCross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import type { LinkageMap } from '@heterosis/file-formats/tables/linkage-map/linkage-map';
import {
  createPolyploidCrosses,
  type Homologs,
  type PolyploidGenome,
} from '@heterosis/statgen/crossing/polyploid/polyploid-cross';
import { createPolyploidSimulation } from '@heterosis/statgen/crossing/polyploid/simulate-polyploid-cross';
import { summarizeProgeny } from '@heterosis/statgen/crossing/simulate-cross';
import { dosageClasses, NO_CLASS } from '@heterosis/statgen/genotypes/dosage-classes';
import { createRelationshipToBase } from '@heterosis/statgen/kinship/relationship-to-base';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { markerRanges, readRange } from '../inputs/open-panel.ts';
import { type CrossRow, crossFigures, type SelectionInput, selectionsOf } from './cross-figures.ts';
import type { CrossingEffects } from './crossing-effects.ts';
import { DEFAULT_PROGENY, type PolyploidCrossResult, type ProgenyChoice } from './evaluate-crosses.ts';
import { type CrossingMaterial, type MatchedCrossing, matchCrossing } from './match-crossing.ts';
import { fillMissing, type ParentalHaplotypes } from './parental-haplotypes.ts';
import type { SimulatedProgeny } from './progeny-vcf.ts';

export interface PolyploidCrossInput extends SelectionInput, ProgenyChoice {
  panel: GenotypePanel;
  /** The VCF, which has the phase of the parents; null for a panel without it. */
  original: ByteSource | null;
  /**
   * Unknown: homologs by dosage (fractions count as the nearest one), alleles of each marker on them at random, see
   * `withoutLinkage`. Known unless told.
   */
  phase?: 'known' | 'unknown';
  effects: CrossingEffects;
  map: LinkageMap;
  missingMapMarkers?: CrossingMaterial['missingMapMarkers'];
  /** Null for all pairs of the panel, of which none is simulated. */
  crosses: readonly Cross[] | null;
  /** Shares of meioses of a chromosome, see `PairingModel`. */
  quadrivalents: number;
  preferential?: number;
  /** cM by chromosome; absent ones are in the middle of the markers with an effect. */
  centromeresCm?: ReadonlyMap<string, number>;
}

/** More pairs of loci than this, over all parents, take minutes and gigabytes. */
const MOST_PAIRS = 20_000_000;

/**
 * Exact mean and variance of the F1s (and selfed progeny) of polyploids, see `createPolyploidCrosses`, and the same
 * figures from simulated progeny. Each cross has its own random stream, as in `evaluateCrosses`.
 *
 * @throws AnalysisError `crossing/unphased-parents`, `crossing/missing-calls`, `crossing/polyploid-population`,
 * `crossing/too-many-pairs`, and as `matchCrossing`
 */
export async function evaluatePolyploidCrosses(
  input: PolyploidCrossInput,
  context: AnalysisContext,
): Promise<PolyploidCrossResult> {
  const { panel, effects, map, missingMapMarkers, quadrivalents, preferential = 0, seed = 1 } = input;
  const isUnphased = input.phase === 'unknown';
  if (isUnphased && (preferential > 0 || input.keepProgeny === true))
    throw new RangeError('homologs that pair, and those of progeny, are not known without phase');
  const ploidy = ploidyOf(panel);
  const crosses = input.crosses ?? allPairs(panel.samples);
  for (const cross of crosses) requireF1(cross);
  const names = [...new Set(crosses.flatMap(parentsOfCross))];
  const parents = await polyploidParents({ ...input, ignorePhase: isUnphased }, names, context);
  reportProgress(context, 'match', 0, 1);
  const matched = matchCrossing({ effects, parents, map, ...(missingMapMarkers && { missingMapMarkers }) });
  const linked = withCentromeres(matched, parents, input.centromeresCm);
  const genome = isUnphased ? withoutLinkage(linked) : linked;
  requireFewPairs(genome, matched, names.length);
  const plants = new Map(names.map((name): [string, Homologs] => [name, homologsOf(matched, name, ploidy)]));
  const plantOf = (name: string): Homologs => plants.get(name) ?? [];
  const pairing = { ploidy, quadrivalents, preferential };
  const model = createPolyploidCrosses(genome, matched.traits, pairing);
  const isSimulated = input.simulate !== false && input.crosses !== null;
  const simulate = isSimulated ? createPolyploidSimulation(genome, matched.traits, pairing) : null;
  const progeny: SimulatedProgeny | null =
    isSimulated && input.keepProgeny === true
      ? { seed, ploidy, pairing, markers: panel.markers, markerIndex: matched.markerIndex, crosses: [] }
      : null;
  const values = new Map(names.map((name) => [name, model.values(plantOf(name))]));
  const selections = selectionsOf(effects.traits, input);
  const rows: CrossRow[] = [];
  for (const [done, cross] of crosses.entries()) {
    reportProgress(context, 'cross', done, crosses.length);
    const [female, male] = [plantOf(cross.female), plantOf(cross.male)];
    const moments = model.moments(female, male);
    const progenyCount = cross.progenyCount ?? input.progeny ?? DEFAULT_PROGENY;
    let simulated: ReturnType<typeof summarizeProgeny> | null = null;
    if (simulate !== null) {
      // Yield to the event loop so cancellation is handled between crosses.
      await nextTurn();
      const random = createRandomStream(seed, 'cross', cross.name);
      const grown = simulate({ female, male, progenyCount, random, keepHomologs: progeny !== null });
      if (progeny !== null && grown.homologs !== null) {
        progeny.crosses.push({
          ...{ name: cross.name, parents: parentsOfCross(cross), population: 'F1', homologs: grown.homologs },
          haplotypes: [...female, ...male].map((homolog) => matched.asInFile(homolog)),
        });
      }
      simulated = summarizeProgeny(grown.values, effects.traits.length);
      await input.onProgeny?.(cross, grown.values);
    }
    for (const [t, { name }] of effects.traits.entries()) {
      const parentValues = [cross.female, cross.male].map((one) => values.get(one)?.[t] ?? Number.NaN);
      rows.push({
        ...{ cross: cross.name, parent1: cross.female, parent2: cross.male, parent3: null, parent4: null },
        ...{ trait: name, population: 'F1', parentValues },
        ...crossFigures(
          moments[t] ?? { mean: Number.NaN, variance: Number.NaN },
          parentValues,
          progenyCount,
          selections[t] ?? { fraction: 0.05, accuracy: 1, direction: 'high' },
        ),
        simMean: simulated?.mean[t] ?? null,
        simVariance: simulated?.covariance[t * (effects.traits.length + 1)] ?? null,
        kinship: kinshipOf(parents, names, cross),
        segregatingMarkers: segregating(matched, [...female, ...male]),
      });
    }
  }
  reportProgress(context, 'cross', crosses.length, crosses.length);
  return {
    traits: effects.traits.map(({ name }) => name),
    rows,
    report: matched.report,
    mapReport: matched.mapReport,
    progeny,
  };
}

function allPairs(names: readonly string[]): Cross[] {
  return names.flatMap((female, i) =>
    names.slice(i + 1).map(
      (male): Cross => ({
        ...{ name: `${female}_X_${male}`, female, male, progenyCount: null, type: 'F1', line: 0 },
      }),
    ),
  );
}

function requireF1({ name, type, parent3 }: Cross): void {
  if (parent3 === undefined && ['biparental', 'self', 'F1'].includes(type)) return;
  throw new AnalysisError(
    'crossing/polyploid-population',
    `Of polyploids only the F1 of two plants and the selfed progeny of one are predicted; "${name}" is ${parent3 === undefined ? type : 'a cross of more parents'}.`,
    'Write F1 or self as its type, or leave it out.',
    { cross: name },
  );
}

/**
 * The homologs of plants as pairs, which is what markers and effects are matched with: those of a plant stand one pair
 * after the other, named {@link pairName}.
 */
export async function polyploidParents(
  { panel, original, ignorePhase = false }: Pick<PolyploidCrossInput, 'panel' | 'original'> & { ignorePhase?: boolean },
  names: readonly string[],
  context: AnalysisContext,
): Promise<ParentalHaplotypes> {
  const ploidy = ploidyOf(panel);
  const homologs = ignorePhase
    ? await homologsByDosage(panel, names, context)
    : await phasedHomologs({ panel, original }, names, context);
  const pairs = names.flatMap((name, i) =>
    Array.from({ length: ploidy / 2 }, (_, k) => ({
      name: pairName(name, k),
      plant: name,
      parent: { first: homologs[i * ploidy + 2 * k], second: homologs[i * ploidy + 2 * k + 1] },
    })),
  );
  const phased = pairs.map(({ parent }) => parent);
  const filled = fillMissing(
    phased,
    pairs.map(({ plant }) => plant),
  );
  return {
    names: pairs.map(({ name }) => name),
    markers: panel.markers,
    parents: phased,
    // A call is missing in all pairs of a plant.
    filledCalls: filled.filter((_, at) => at % (ploidy / 2) === 0),
    kinship: await relationshipsOf(panel, names, context),
  };
}

/** The homologs of plants, one plant after the other, by the markers of the panel. */
async function phasedHomologs(
  { panel, original }: Pick<PolyploidCrossInput, 'panel' | 'original'>,
  names: readonly string[],
  context: AnalysisContext,
): Promise<Uint8Array[]> {
  const ploidy = ploidyOf(panel);
  const found =
    original === null
      ? null
      : await readHaplotypes(original, names, {
          ploidy,
          signal: context.signal,
          onProgress: (done, total) => reportProgress(context, 'read', done, total),
        });
  const concerned = found === null ? names : names.filter((_, i) => found.unphased[i] > 0);
  if (found === null || concerned.length > 0) {
    throw new AnalysisError(
      'crossing/unphased-parents',
      `${concerned.slice(0, 5).join(', ')}${concerned.length > 5 ? ` and ${concerned.length - 5} more` : ''} ${concerned.length === 1 ? 'has' : 'have'} heterozygous calls without phase, and the variance of a cross depends on it.`,
      'Give a VCF with the homologs of each parent in one order throughout a chromosome (0|1|1|0). Without phase, crosses are predicted with “unknown” as phase of the parents, and plans made with “none” as population.',
      { parents: concerned },
    );
  }
  const placeOf = new Map(found.ids.map((id, place) => [id, place]));
  const places = Int32Array.from(panel.markers.id, (id) => placeOf.get(id) ?? -1);
  return found.alleles.map((alleles) => Uint8Array.from(places, (place) => alleles[place]));
}

/** As many homologs with A2 as the nearest dosage has copies, the first ones: for what phase does not matter to. */
async function homologsByDosage(
  panel: GenotypePanel,
  names: readonly string[],
  context: AnalysisContext,
): Promise<Uint8Array[]> {
  const ploidy = ploidyOf(panel);
  const markers = panel.markers.id.length;
  const individuals = Int32Array.from(names, (name) => panel.samples.indexOf(name));
  const homologs = Array.from({ length: ploidy * names.length }, () => new Uint8Array(markers));
  const classes = new Uint8Array(names.length);
  const ranges = markerRanges(markers);
  for (const [block, range] of ranges.entries()) {
    reportProgress(context, 'read', block, ranges.length);
    const calls = await readRange(panel, range);
    for (let k = 0; k < range.count; k++) {
      dosageClasses(calls, k, { panelSize: panel.samples.length, individuals }, classes);
      for (const [at, homolog] of homologs.entries()) {
        const copies = classes[Math.floor(at / ploidy)];
        homolog[range.first + k] = copies === NO_CLASS ? MISSING_ALLELE : Number(at % ploidy < copies);
      }
    }
  }
  return homologs;
}

const pairName = (plant: string, pair: number): string => `${plant}\n${pair}`;

export function homologsOf(matched: MatchedCrossing, name: string, ploidy: number): Homologs {
  return Array.from({ length: ploidy / 2 }, (_, k) => matched.parentOf(pairName(name, k))).flatMap(
    ({ first, second }) => [first, second],
  );
}

/** VanRaden's relationship of some plants, with the frequencies of the whole panel. */
async function relationshipsOf(
  panel: GenotypePanel,
  names: readonly string[],
  context: AnalysisContext,
): Promise<Float64Array | null> {
  const ploidy = ploidyOf(panel);
  const n = panel.samples.length;
  const columns = names.map((name) => panel.samples.indexOf(name));
  const relationship = createRelationshipToBase(names.length);
  // On the scale of diploids, whose relationships are k/2 times too small for it.
  const perUnit = 2 / (ploidy * POLYPLOID_UNITS);
  const of = (units: number): number => (units === MISSING_POLYPLOID ? Number.NaN : units * perUnit);
  const ranges = markerRanges(panel.markers.id.length);
  for (const [block, range] of ranges.entries()) {
    reportProgress(context, 'read', block, ranges.length);
    const { dosages } = await readRange(panel, range);
    if (dosages === undefined) continue;
    for (const row of dosages.rows) {
      const units = dosages.values.subarray(row * n, (row + 1) * n);
      let sum = 0;
      let called = 0;
      for (const one of units) {
        if (one === MISSING_POLYPLOID) continue;
        sum += one * perUnit;
        called++;
      }
      relationship.add(
        Float64Array.from(columns, (i) => of(units[i])),
        sum / (2 * called),
      );
    }
  }
  return relationship.finish()?.map((value) => (value * ploidy) / 2) ?? null;
}

function kinshipOf({ kinship }: ParentalHaplotypes, names: readonly string[], { female, male }: Cross): number | null {
  return kinship === null ? null : (kinship[names.indexOf(female) * names.length + names.indexOf(male)] ?? null);
}

/** Markers with an effect at which the homologs differ. */
function segregating({ traits }: MatchedCrossing, homologs: Homologs): number {
  const [first] = homologs;
  if (first === undefined) return 0;
  let count = 0;
  for (let j = 0; j < first.length; j++) {
    const hasEffect = traits.some(
      ({ additive, dominance }) => additive[j] !== 0 || (dominance !== null && dominance[j] !== 0),
    );
    if (hasEffect && homologs.some((homolog) => homolog[j] !== first[j])) count++;
  }
  return count;
}

function withCentromeres(
  { genome, markerIndex }: MatchedCrossing,
  { markers }: ParentalHaplotypes,
  centromeresCm: ReadonlyMap<string, number> = new Map(),
): PolyploidGenome {
  const { chromosomeStart, positionMorgan } = genome;
  const centromereMorgan = Float64Array.from({ length: chromosomeStart.length - 1 }, (_, c) => {
    const [first, end] = [chromosomeStart[c], chromosomeStart[c + 1]];
    const given = centromeresCm.get(markers.chromosome[markerIndex[first]]);
    return given === undefined ? (positionMorgan[first] + positionMorgan[end - 1]) / 2 : given / 100;
  });
  return { ...genome, centromereMorgan };
}

/**
 * Each marker on a chromosome of its own, as far from the centromere as before. Where the alleles of each marker lie on
 * the homologs of a plant at random, copies at two markers in its gametes are independent, and what additive effects
 * contribute to the variance of progeny is its mean over all phases. Dominance of selfed progeny leaves out that both
 * gametes come from the same homologs.
 */
function withoutLinkage(genome: PolyploidGenome): PolyploidGenome {
  const { chromosomeStart, centromereMorgan, mappedCount } = genome;
  const own = new Float64Array(mappedCount);
  for (const [c, centromere] of centromereMorgan.entries())
    own.fill(centromere, chromosomeStart[c], chromosomeStart[c + 1]);
  return {
    ...genome,
    chromosomeStart: Int32Array.from({ length: mappedCount + 1 }, (_, j) => j),
    centromereMorgan: own,
  };
}

function requireFewPairs({ chromosomeStart }: PolyploidGenome, { traits }: MatchedCrossing, plants: number): void {
  let pairs = 0;
  for (let c = 0; c + 1 < chromosomeStart.length; c++) {
    let loci = 0;
    for (let j = chromosomeStart[c]; j < chromosomeStart[c + 1]; j++) {
      if (traits.some(({ additive, dominance }) => additive[j] !== 0 || (dominance !== null && dominance[j] !== 0)))
        loci++;
    }
    pairs += (loci * (loci + 1)) / 2;
  }
  if (pairs * plants <= MOST_PAIRS) return;
  throw new AnalysisError(
    'crossing/too-many-pairs',
    `${pairs} pairs of markers on a chromosome for each of ${plants} parents are more than are computed at once.`,
    'Train the model with fewer markers, or evaluate fewer parents at a time.',
    { pairs, plants },
  );
}

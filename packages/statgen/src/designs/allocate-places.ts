import type { RandomStream } from '../random/random-stream.ts';
import { type AllocatedLines, contrastVariances, MOST_EFFECTS, priorVariances } from './allocation-contrasts.ts';
import { AllocationInverse } from './allocation-inverse.ts';
import type { Chance, PlaceRequest } from './arrangement.ts';
import { DesignError } from './design-error.ts';
import type { AllocationFigures, DesignRequest } from './design-types.ts';
import { concurrencesOf, summarize } from './efficiency.ts';
import { exchangePlots } from './exchange-plots.ts';
import { placesAlike } from './place-model.ts';

/** Which lines grow at which place. */
export interface Allocation {
  /** By place the indices of the entries, checks among them. */
  places: number[][];
  figures: AllocationFigures;
}

/** Relationship of two lines of a family beside 1 of a line with itself: that of inbred full sibs. */
const WITHIN_FAMILY = 0.5;

/**
 * Allocates lines to places, each to as many as it asks for, checks to all.
 *
 * First the numbers of lines that two places share are made as equal as possible, over all lines and within families.
 * Since tr((NN′)²) = tr((N′N)²) for the incidence N of lines and places, that also makes pairs of lines meet as equally
 * often as possible. Unrelated lines at places that are alike need no more: CDmean depends on N′N alone. Otherwise
 * CDmean (or the mean PEV; Rincent et al. 2012, Genetics 192:715) is then searched for by exchanges, in the model of
 * the places with covariance K of the lines; places keep their numbers of lines.
 *
 * @throws DesignError `places`, `replicates`
 */
export function allocateToPlaces(place: PlaceRequest, chance: Chance): Allocation {
  const { random } = chance;
  const { request, checks } = place;
  const isCheck = new Set(checks);
  const news = place.lines.filter((index) => !isCheck.has(index));
  const counts = news.map((index) => placesOf(request, index));
  const placeOf: number[] = [];
  const lineOf: number[] = [];
  const dealt = deal(counts, request.places, random);
  for (const [line, own] of dealt.entries()) {
    for (const at of own) {
      placeOf.push(at);
      lineOf.push(line);
    }
  }
  const found = { lineOf: Int32Array.from(lineOf), placeOf: Int32Array.from(placeOf), places: request.places };
  const familyOf = place.familyOf && Int32Array.from(news, (index) => place.familyOf?.[index] ?? -1);
  balance(found, news.length, familyOf, random);
  const allocated: AllocatedLines = {
    ...{ lineOf: found.lineOf, placeOf: found.placeOf, lines: news.length },
    kinship: relationshipOf(request, news, familyOf),
    model: request.placeModel ?? placesAlike(request.places, request.varianceRatio),
  };
  const effects = news.length * (allocated.model.loadings[0]?.length ?? 1);
  const isDecided = allocated.kinship === null && request.placeModel === undefined;
  if (!isDecided && effects <= MOST_EFFECTS) searchContrasts(allocated, request, chance);
  return {
    places: Array.from({ length: request.places }, (_, at) => [
      ...checks,
      ...[...found.lineOf].filter((_line, plot) => found.placeOf[plot] === at).map((line) => news[line] ?? 0),
    ]).map((lines) => lines.sort((a, b) => a - b)),
    figures: figuresOf(allocated),
  };
}

/** As many lines as the largest place will have, checks among them. @throws DesignError as {@link allocateToPlaces} */
export function linesAtLargestPlace({ request, lines, checks }: PlaceRequest): number[] {
  const news = lines.filter((index) => !checks.includes(index));
  const plots = news.reduce((sum, index) => sum + placesOf(request, index), 0);
  return [...checks, ...news.slice(0, Math.ceil(plots / request.places))];
}

interface Incidence {
  lineOf: Int32Array;
  placeOf: Int32Array;
  places: number;
}

function placesOf(request: DesignRequest, index: number): number {
  const entry = request.entries[index];
  const wanted = entry?.replicates ?? request.replicates;
  if (wanted === undefined) {
    throw new DesignError(
      'replicates',
      'Nothing says at how many places every line grows.',
      `Give --replicates (from 1 to ${request.places}), or a column replicates of the entries.`,
    );
  }
  if (wanted <= request.places) return wanted;
  throw new DesignError(
    'places',
    `"${entry?.name ?? ''}" is to grow at ${wanted} places, and there are ${request.places}.`,
    'Give more --places, or fewer replicates.',
  );
}

/** To the places that have fewest lines so far, in random order. */
function deal(counts: readonly number[], places: number, random: RandomStream): number[][] {
  const sizes = new Int32Array(places);
  const order = random.shuffle([...counts.keys()]).sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0));
  const dealt: number[][] = counts.map(() => []);
  for (const line of order) {
    const emptiest = random.shuffle([...Array(places).keys()]).sort((a, b) => sizes[a] - sizes[b]);
    for (const at of emptiest.slice(0, counts[line])) {
      dealt[line]?.push(at);
      sizes[at] += 1;
    }
  }
  return dealt;
}

/** Passes without a gain after which the balance counts as found, each begun by exchanges at random. */
const BALANCE_ATTEMPTS = 30;

/**
 * Exchanges lines between places while the squares of the concurrences of places become fewer: those of all lines
 * first, those of families second.
 */
function balance(
  { lineOf, placeOf, places }: Incidence,
  lines: number,
  families: Int32Array | undefined,
  random: RandomStream,
) {
  const has = new Uint8Array(lines * places);
  lineOf.forEach((line, plot) => {
    has[line * places + placeOf[plot]] = 1;
  });
  const groups = families === undefined ? 1 : Math.max(-1, ...families) + 2;
  // Group 0 is all lines, the others are families.
  const met = new Int32Array(groups * places * places);
  const count = (line: number, by: number) => {
    const family = families === undefined ? -1 : families[line];
    for (let p = 0; p < places; p++) {
      if (has[line * places + p] === 0) continue;
      for (let q = 0; q < places; q++) {
        if (has[line * places + q] === 0) continue;
        met[p * places + q] += by;
        if (family >= 0) met[((family + 1) * places + p) * places + q] += by;
      }
    }
  };
  for (let line = 0; line < lines; line++) count(line, 1);
  const squares = (group: number): number => {
    let sum = 0;
    for (let k = group * places * places; k < (group + 1) * places * places; k++) sum += met[k] ** 2;
    return sum;
  };
  const touched = (i: number, j: number) => [
    0,
    ...new Set([i, j].map((line) => (families === undefined ? 0 : families[line] + 1)).filter((group) => group > 0)),
  ];
  const swap = (i: number, j: number, p: number, q: number) => {
    count(i, -1);
    count(j, -1);
    has[i * places + p] = has[j * places + q] = 0;
    has[i * places + q] = has[j * places + p] = 1;
    count(i, 1);
    count(j, 1);
  };
  const plots = [...lineOf.keys()];
  const tryPair = (a: number, b: number, isForced: boolean): boolean => {
    const [i, j, p, q] = [lineOf[a], lineOf[b], placeOf[a], placeOf[b]];
    if (i === j || p === q || has[i * places + q] === 1 || has[j * places + p] === 1) return false;
    const groupsOf = touched(i, j);
    const before = groupsOf.map(squares);
    swap(i, j, p, q);
    const after = groupsOf.map(squares);
    const ofAll = (after[0] ?? 0) - (before[0] ?? 0);
    const ofFamilies = after.slice(1).reduce((sum, value, k) => sum + value - (before[k + 1] ?? 0), 0);
    if (isForced || ofAll < 0 || (ofAll === 0 && ofFamilies < 0)) {
      lineOf[a] = j;
      lineOf[b] = i;
      return true;
    }
    swap(j, i, p, q);
    return false;
  };
  const best = { value: Number.POSITIVE_INFINITY, lineOf: lineOf.slice() };
  for (let attempt = 0; attempt < BALANCE_ATTEMPTS; attempt++) {
    for (let hasGained = true; hasGained; ) {
      hasGained = false;
      for (const a of random.shuffle(plots)) {
        for (let k = 0; k < Math.min(plots.length, BALANCE_PARTNERS); k++)
          if (tryPair(a, random.nextInt(plots.length), false)) hasGained = true;
      }
    }
    const ofFamilies = Array.from({ length: groups - 1 }, (_, f) => squares(f + 1)).reduce((sum, x) => sum + x, 0);
    const value = squares(0) * 1e6 + ofFamilies;
    if (value < best.value) {
      best.value = value;
      best.lineOf.set(lineOf);
      if (attempt > 0 && plots.length > LARGE) break;
    }
    if (plots.length > LARGE && isBalanced(met, places)) break;
    for (let k = 0; k < 4; k++) tryPair(random.nextInt(plots.length), random.nextInt(plots.length), true);
  }
  lineOf.set(best.lineOf);
}

const BALANCE_PARTNERS = 40;
/** Plots beyond which a balance is not searched for further. */
const LARGE = 400;

/** Whether no two concurrences of places differ by more than 1. */
function isBalanced(met: Int32Array, places: number): boolean {
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (let p = 0; p < places; p++) {
    for (let q = 0; q < p; q++) {
      least = Math.min(least, met[p * places + q]);
      most = Math.max(most, met[p * places + q]);
    }
  }
  return most - least <= 1;
}

/** n × n, scaled to a mean diagonal of 1; null for unrelated lines. */
function relationshipOf(
  { kinship, entries }: DesignRequest,
  news: readonly number[],
  familyOf: Int32Array | undefined,
): Float64Array | null {
  const n = news.length;
  if (kinship !== undefined) {
    const all = entries.length;
    const chosen = Float64Array.from({ length: n * n }, (_, k) => {
      const [i, j] = [news[k % n] ?? 0, news[Math.floor(k / n)] ?? 0];
      return kinship[i + j * all];
    });
    let diagonal = 0;
    for (let i = 0; i < n; i++) diagonal += chosen[i * (n + 1)] / n;
    return chosen.map((value) => value / diagonal);
  }
  if (familyOf === undefined) return null;
  return Float64Array.from({ length: n * n }, (_, k) => {
    const [i, j] = [k % n, Math.floor(k / n)];
    return i === j ? 1 : familyOf[i] >= 0 && familyOf[i] === familyOf[j] ? WITHIN_FAMILY : 0;
  });
}

function searchContrasts(allocated: AllocatedLines, { criterion }: DesignRequest, { random, ...chance }: Chance): void {
  const { lineOf, lines, kinship } = allocated;
  if (chance.work <= 0) return;
  const prior = priorVariances(kinship, lines);
  const weights = criterion === 'pev' ? prior.map(() => 1) : prior.map((variance) => 1 / variance);
  const objective = new AllocationInverse(allocated, weights);
  exchangePlots({ lineOf, zone: new Int32Array(lineOf.length), objective, scale: lines, ...chance }, random);
}

function figuresOf(allocated: AllocatedLines): AllocationFigures {
  const { lineOf, placeOf, lines, kinship, model } = allocated;
  const places = model.loadings.length;
  const sizes = Array.from({ length: places }, (_, at) => placeOf.filter((own) => own === at).length);
  const none = summarize([]);
  const variances = contrastVariances(allocated);
  const prior = priorVariances(kinship, lines);
  const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / lines;
  const cdMean = variances === null ? null : mean(variances.map((variance, i) => 1 - variance / prior[i]));
  return {
    lines: sizes,
    lineConcurrences: concurrencesOf(lines, lineOf, placeOf) ?? none,
    placeConcurrences: places < 2 ? none : (concurrencesOf(places, placeOf, lineOf) ?? none),
    cdMean,
    pevMean: variances === null ? null : mean(variances),
    expectedAccuracy: cdMean === null ? null : Math.sqrt(Math.max(0, cdMean)),
  };
}

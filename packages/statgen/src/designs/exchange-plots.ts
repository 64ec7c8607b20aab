import type { RandomStream } from '../random/random-stream.ts';
import { Spread, type SpreadModel, type SpreadWeights } from './spread.ts';
import { type PlotModel, TreatmentInverse } from './treatment-inverse.ts';

export interface Exchange {
  /** Shared by all parts, n; changed to the best arrangement found. */
  lineOf: Int32Array;
  /** Plots of one zone may exchange their lines, n; negative: the plot is fixed. */
  zone: Int32Array;
  /** Which exchanges a zone allows besides; all where absent. */
  isAllowed?: (a: number, b: number) => boolean;
  /** Absent, with the objective: only the spread counts. */
  model?: PlotModel;
  /** In place of the model: what is lowered. Its exchange changes `lineOf`. */
  objective?: PlotObjective;
  /** The criterion of the model is divided by this. */
  scale?: number;
  spread?: { model: SpreadModel; weights: SpreadWeights };
  /** Elements of matrices that the search may touch: how long it goes on. */
  work: number;
  /** Told now and then what share of the work is done. */
  onProgress?: (share: number) => void;
}

/** A criterion that knows what an exchange of two plots would do to it. */
export interface PlotObjective {
  /** Operations so far, in elements read or written. */
  readonly work: number;
  /** Infinite where the exchange is impossible. */
  change(a: number, b: number): number;
  exchange(a: number, b: number): void;
  /** Keeps the state; what is answered goes back to it. */
  save(): () => void;
}

/** Partners that are tried for a plot in one pass. */
const MOST_PARTNERS = 300;
/** Random exchanges that leave a local optimum. */
const KICKS = 3;
/** Fruitless attempts to leave it, after which the search ends. */
const MOST_ATTEMPTS = 400;
/** The same where only the spread counts, which has many equally good arrangements. */
const MOST_ATTEMPTS_OF_SPREAD = 60;
/** What a trial costs besides its columns of the inverse, in their elements. */
const TRIAL_WORK = 100;
/** How much work is done between two reports. */
const REPORTED_SHARE = 0.01;
/** A gain below this is rounding. */
const LEAST_GAIN = 1e-9;

/**
 * Exchanges plots while that lowers the criterion plus the penalties: passes over all plots in random order, the first
 * exchange that gains being made, until none gains; then some exchanges at random and the same again, going back where
 * nothing was won (iterated local search). Ends after `work`, which counts operations and no time, so that a seed gives
 * one result.
 */
export function exchangePlots(problem: Exchange, random: RandomStream): void {
  const search = new Search(problem, random);
  if (search.movable.length < 2 || problem.work <= 0) return;
  let best = search.descend(0);
  let kept = search.save();
  const most = problem.model === undefined && problem.objective === undefined ? MOST_ATTEMPTS_OF_SPREAD : MOST_ATTEMPTS;
  for (let attempts = 0; attempts < most && !search.isDone(); attempts++) {
    const value = search.descend(best + search.kick());
    if (value < best - LEAST_GAIN) {
      best = value;
      kept = search.save();
      attempts = -1;
    } else kept();
  }
}

class Search {
  readonly movable: number[];
  private readonly problem: Exchange;
  private readonly random: RandomStream;
  private readonly zones: Map<number, number[]>;
  private readonly inverse: PlotObjective | null;
  private readonly spread: Spread | null;
  private readonly scale: number;
  private tried = 0;
  private reported = 0;

  constructor(problem: Exchange, random: RandomStream) {
    this.problem = problem;
    this.random = random;
    this.movable = [...problem.zone.keys()].filter((plot) => problem.zone[plot] >= 0);
    this.zones = Map.groupBy(this.movable, (plot) => problem.zone[plot]);
    this.inverse = problem.objective ?? (problem.model === undefined ? null : new TreatmentInverse(problem.model));
    this.spread = problem.spread === undefined ? null : new Spread(problem.spread.model, problem.spread.weights);
    this.scale = problem.scale ?? 1;
  }

  isDone(): boolean {
    const { work, onProgress } = this.problem;
    const share = ((this.inverse?.work ?? 0) + TRIAL_WORK * this.tried) / work;
    if (onProgress !== undefined && share >= this.reported + REPORTED_SHARE) {
      this.reported = share;
      onProgress(Math.min(1, share));
    }
    return share >= 1;
  }

  /** Exchanges until nothing gains; `value` and the gains. */
  descend(value: number): number {
    let now = value;
    for (let hasGained = true; hasGained && !this.isDone(); ) {
      hasGained = false;
      this.random.shuffle(this.movable);
      for (const a of this.movable) {
        // A pass over thousands of plots may cost more than a short search.
        if (this.isDone()) break;
        const gain = this.improve(a);
        if (gain < 0) hasGained = true;
        now += gain;
      }
    }
    return now;
  }

  /** Some exchanges at random; what they change. */
  kick(): number {
    let sum = 0;
    for (let k = 0; k < KICKS; k++) {
      const a = this.movable[this.random.nextInt(this.movable.length)] ?? 0;
      const zone = this.zones.get(this.problem.zone[a]) ?? [];
      const b = zone[this.random.nextInt(zone.length)] ?? a;
      if (a === b || !this.mayExchange(a, b)) continue;
      const change = this.change(a, b);
      if (change === Number.POSITIVE_INFINITY) continue;
      sum += change;
      this.exchange(a, b);
    }
    return sum;
  }

  save(): () => void {
    const restore = this.inverse?.save();
    const lineOf = this.problem.lineOf.slice();
    return () => {
      restore?.();
      this.problem.lineOf.set(lineOf);
      this.spread?.recount();
    };
  }

  /** Exchanges a plot with every partner that gains; with the best one where an exchange costs more than its trials. */
  private improve(a: number): number {
    const zone = this.zones.get(this.problem.zone[a]) ?? [];
    const first = zone.length > MOST_PARTNERS ? this.random.nextInt(zone.length) : 0;
    const count = Math.min(zone.length, MOST_PARTNERS);
    const isDear = this.problem.objective !== undefined;
    let [sum, best, partner] = [0, -LEAST_GAIN, -1];
    for (let k = 0; k < count; k++) {
      const b = zone[(first + k) % zone.length];
      if (a === b || !this.mayExchange(a, b)) continue;
      const change = this.change(a, b);
      if (!(change < best)) continue;
      if (isDear) [best, partner] = [change, b];
      else {
        this.exchange(a, b);
        sum += change;
      }
    }
    if (partner < 0) return sum;
    this.exchange(a, partner);
    return best;
  }

  private mayExchange(a: number, b: number): boolean {
    const { lineOf, isAllowed } = this.problem;
    return lineOf[a] !== lineOf[b] && (isAllowed === undefined || isAllowed(a, b));
  }

  private change(a: number, b: number): number {
    this.tried++;
    const byModel = this.inverse === null ? 0 : this.inverse.change(a, b) / this.scale;
    return byModel + (this.spread?.change(a, b) ?? 0);
  }

  private exchange(a: number, b: number): void {
    const { lineOf } = this.problem;
    if (this.inverse === null) {
      const line = lineOf[a];
      lineOf[a] = lineOf[b];
      lineOf[b] = line;
    } else this.inverse.exchange(a, b);
    this.spread?.exchanged(a, b);
  }
}

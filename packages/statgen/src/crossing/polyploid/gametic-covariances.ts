import type { CrossingGenome, TraitEffects } from '../crossing-genome.ts';
import type { Homologs } from './polyploid-cross.ts';

/**
 * Covariances of the additive values of the gametes of a plant between traits, under bivalents of any two homologs and
 * Haldane's map function: Σ (1 − 2r_lm)·a_l·b_m·(h_il − h_jl)(h_im − h_jm) / 4(k − 1) over pairs of homologs i < j and
 * loci l, m of a chromosome. A progeny of two plants has the sum of both. Along a chromosome 1 − 2r is a product of
 * neighbours, so that it takes O(k²·m) for m markers.
 *
 * @returns by pair of traits (0,0), (0,1) … (T−1,T−1)
 */
export function gameticCovariances(
  { chromosomeStart, positionMorgan }: CrossingGenome,
  effects: readonly TraitEffects[],
  plant: Homologs,
): Float64Array {
  const traits = effects.length;
  const k = plant.length;
  const sums = new Float64Array((traits * (traits + 1)) / 2);
  const value = new Float64Array(traits);
  /** Σ of the values before, each times its 1 − 2r to here. */
  const before = new Float64Array(traits);
  for (let i = 0; i < k; i++) {
    for (let j = i + 1; j < k; j++) {
      for (let c = 0; c + 1 < chromosomeStart.length; c++) {
        before.fill(0);
        for (let l = chromosomeStart[c]; l < chromosomeStart[c + 1]; l++) {
          const stays = l === chromosomeStart[c] ? 0 : Math.exp(-2 * (positionMorgan[l] - positionMorgan[l - 1]));
          const differs = plant[i][l] - plant[j][l];
          for (let t = 0; t < traits; t++) {
            value[t] = differs * effects[t].additive[l];
            before[t] = stays * before[t];
          }
          if (differs !== 0) {
            let at = 0;
            for (let s = 0; s < traits; s++)
              for (let t = s; t < traits; t++, at++)
                sums[at] = sums[at] + value[s] * value[t] + value[s] * before[t] + value[t] * before[s];
          }
          for (let t = 0; t < traits; t++) before[t] = before[t] + value[t];
        }
      }
    }
  }
  return sums.map((sum) => sum / (4 * (k - 1)));
}

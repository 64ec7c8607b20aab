import { dosageClasses, NO_CLASS } from '../genotypes/dosage-classes.ts';
import { type AllelePlanes, QUICK_MARKERS } from './allele-planes.ts';
import { fewestCopies, type Transmission } from './transmission.ts';

type Descent = Pick<Transmission, 'doubleReduction'> & { ploidy: number };

/** Bytes that the planes of polyploids take: a bit a marker for calls, and one for each number of copies. */
export const dosagePlaneBytes = (individuals: number, markers: number, ploidy: number): number =>
  4 * individuals * (ploidy + 1) * wordsOf(markers);

const wordsOf = (markers: number): number => Math.max(1, Math.ceil(markers / 32));

/**
 * The calls of polyploids as bits: of each individual a plane of its calls, and for t = 1 … k one of the markers at
 * which it has t copies of A2 or more. All conditions on dosages are then words and-ed and or-ed: a child has too few
 * copies where, for some a and b, its parents have so many that their gametes have a and b at least, and it has less
 * than a + b; the same holds for A1, of which a plant has k − t + 1 copies or more where the bit of t is not set.
 */
export function createDosagePlanes(individuals: number, markers: number, transmission: Descent): AllelePlanes {
  const { ploidy } = transmission;
  const words = wordsOf(markers);
  const planes = new Int32Array(individuals * (ploidy + 1) * words);
  const columns = {
    called: new Int32Array(individuals),
    opposing: new Int32Array(individuals),
    different: new Int32Array(individuals),
  };
  const quick = Math.min(markers, QUICK_MARKERS);
  const classes = new Uint8Array(individuals);
  // Of a parent all of whose gametes have a copies or more; every parent gives none.
  const fewest = [0, ...fewestCopies(transmission)].filter((copies) => copies <= ploidy);
  const lacks = new Int32Array(ploidy + 1);
  const [femaleGives, maleGives] = [new Int32Array(fewest.length).fill(-1), new Int32Array(fewest.length).fill(-1)];
  /** Where a plane of an individual begins; that of its calls is the 0th. */
  const placeOf = (individual: number, plane: number): number => (individual * (ploidy + 1) + plane) * words;
  let added = 0;
  let sampled = 0;

  return {
    individuals,
    markers,
    add(block, places) {
      for (const place of places) {
        const isSampled = sampled < quick && added >= Math.floor((sampled * markers) / quick);
        const bit = isSampled ? sampled++ : quick + added - sampled;
        added++;
        dosageClasses(block, place, { panelSize: individuals }, classes);
        for (let i = 0; i < individuals; i++) {
          if (classes[i] === NO_CLASS) continue;
          for (let t = 0; t <= classes[i]; t++) planes[placeOf(i, t) + (bit >> 5)] |= 1 << (bit & 31);
        }
      }
    },
    comparePairs(one, first, count) {
      for (let k = 0; k < count; k++) {
        const [ofChild, ofParent] = [placeOf(one, 0), placeOf(first + k, 0)];
        let [called, opposing, different] = [0, 0, 0];
        for (let w = 0; w < words; w++) {
          const both = planes[ofChild + w] & planes[ofParent + w];
          if (both === 0) continue;
          let differs = 0;
          for (let t = 1; t <= ploidy; t++)
            differs |= planes[ofChild + t * words + w] ^ planes[ofParent + t * words + w];
          let opposes = 0;
          for (let a = 1; a < fewest.length; a++) {
            // Too few copies of A2 in the child, and of A1.
            opposes |= planes[ofParent + fewest[a] * words + w] & ~planes[ofChild + a * words + w];
            const [inParent, inChild] = [ploidy - fewest[a] + 1, ploidy - a + 1];
            opposes |= ~planes[ofParent + inParent * words + w] & planes[ofChild + inChild * words + w];
          }
          called += bitCount(both);
          opposing += bitCount(opposes & both);
          different += bitCount(differs & both);
        }
        columns.called[k] = called;
        columns.opposing[k] = opposing;
        columns.different[k] = different;
      }
      return columns;
    },
    compareTrio(child, female, male, isQuick = false) {
      const [ofChild, ofFemale, ofMale] = [placeOf(child, 0), placeOf(female, 0), placeOf(male, 0)];
      const counts = { called: 0, crossConflicts: 0, fixed: 0, lineConflicts: 0 };
      const end = isQuick ? wordsOf(quick) : words;
      for (let w = 0; w < end; w++) {
        const all = planes[ofChild + w] & planes[ofFemale + w] & planes[ofMale + w];
        if (all === 0) continue;
        let [conflict, fixed, otherAllele] = [0, 0, 0];
        for (let ofA1 = 0; ofA1 < 2; ofA1++) {
          // Where the child has fewer than so many copies of the allele, and each parent gives at least so many.
          for (let t = 1; t <= ploidy; t++) {
            lacks[t] = ofA1 === 0 ? ~planes[ofChild + t * words + w] : planes[ofChild + (ploidy - t + 1) * words + w];
          }
          for (let a = 1; a < fewest.length; a++) {
            const plane = (ofA1 === 0 ? fewest[a] : ploidy - fewest[a] + 1) * words + w;
            femaleGives[a] = ofA1 === 0 ? planes[ofFemale + plane] : ~planes[ofFemale + plane];
            maleGives[a] = ofA1 === 0 ? planes[ofMale + plane] : ~planes[ofMale + plane];
          }
          for (let a = 0; a < fewest.length; a++) {
            for (let b = a === 0 ? 1 : 0; b < fewest.length; b++) {
              conflict |= femaleGives[a] & maleGives[b] & lacks[a + b];
            }
          }
          const whole = (ofA1 === 0 ? ploidy : 1) * words + w;
          const bothWhole =
            ofA1 === 0
              ? planes[ofFemale + whole] & planes[ofMale + whole]
              : ~(planes[ofFemale + whole] | planes[ofMale + whole]);
          fixed |= bothWhole;
          otherAllele |= bothWhole & lacks[ploidy];
        }
        counts.called += bitCount(all);
        counts.crossConflicts += bitCount(conflict & all);
        counts.fixed += bitCount(fixed & all);
        counts.lineConflicts += bitCount(otherAllele & all);
      }
      return counts;
    },
  };
}

function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

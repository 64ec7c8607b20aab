// Inbreeding, A⁻¹ and the relationships of 2,000 individuals in pedigrees of 200,000: the goal is seconds.

import { type Inbreeding, inbreedingOf } from '../src/pedigree/inbreeding.ts';
import { inverseRelationships } from '../src/pedigree/inverse-relationships.ts';
import { createPedigree, type Descent, type Pedigree } from '../src/pedigree/pedigree.ts';
import { relationshipsAmong, relationshipsTimes } from '../src/pedigree/relationships.ts';
import { createRandomStream } from '../src/random/random-stream.ts';
import { secondsOf } from './simulate-panel.ts';

const size = Number(process.argv[2] ?? 200_000);
const GENERATIONS = 20;

/** Generations of equal size, of which the first `females` and `males` of each are the parents of the next. */
function breed(females: number, males: number): Descent {
  const random = createRandomStream(1, 'bench', females, males);
  const each = Math.ceil(size / GENERATIONS);
  const maternal = new Int32Array(size).fill(-1);
  const paternal = new Int32Array(size).fill(-1);
  for (let i = each; i < size; i++) {
    const before = (Math.floor(i / each) - 1) * each;
    maternal[i] = before + random.nextInt(females);
    paternal[i] = before + females + random.nextInt(males);
  }
  return { maternal, paternal };
}

/** A breeding programme: each cycle 200 of the last two cycles' lines make 250 crosses of some 40 lines each. */
function programme(): Descent {
  const random = createRandomStream(1, 'programme');
  const maternal = new Int32Array(size).fill(-1);
  const paternal = new Int32Array(size).fill(-1);
  const selfings = new Float64Array(size);
  let [mother, father] = [0, 1];
  for (let i = 200; i < size; i++) {
    const reach = Math.min(i, 20_000);
    if (i % 40 === 0) [mother, father] = [i - 1 - random.nextInt(reach), i - 1 - random.nextInt(reach)];
    maternal[i] = mother;
    paternal[i] = father;
    selfings[i] = 4;
  }
  return { maternal, paternal, selfings };
}

function measure(name: string, descent: Descent): void {
  let pedigree: Pedigree = createPedigree({ maternal: new Int32Array(0), paternal: new Int32Array(0) });
  const sorting = secondsOf(() => {
    pedigree = createPedigree(descent);
  });
  let inbreeding: Inbreeding = { coefficients: new Float64Array(0), mendelian: new Float64Array(0) };
  const coefficients = secondsOf(() => {
    inbreeding = inbreedingOf(pedigree);
  });
  const inverse = secondsOf(() => inverseRelationships(pedigree, inbreeding));
  const times = secondsOf(() => relationshipsTimes(pedigree, inbreeding, new Float64Array(size).fill(1 / size)));
  const last = Int32Array.from({ length: 2000 }, (_, k) => size - 1 - k);
  const among = secondsOf(() => relationshipsAmong(pedigree, inbreeding, last));
  const mean = inbreeding.coefficients.subarray(-1000).reduce((sum, f) => sum + f / 1000, 0);
  process.stdout.write(
    `${name.padEnd(34)} sort ${sorting.toFixed(2)} s   F ${coefficients.toFixed(2)} s   A⁻¹ ${inverse.toFixed(2)} s   ` +
      `A·x ${times.toFixed(3)} s   A of 2,000 ${among.toFixed(2)} s   mean F of the last 1,000 ${mean.toFixed(4)}\n`,
  );
}

process.stdout.write(`${size} individuals\n`);
measure('lines of a breeding programme', programme());
measure('200 males, 2,000 females', breed(2000, 200));
measure('random mating, everybody a parent', breed(size / GENERATIONS / 2, size / GENERATIONS / 2));

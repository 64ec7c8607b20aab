// 5 × 10 cross-validation of a rice-sized panel, one thread, kinship included: the goal is 0.6 s after reading.
import { createMatrix, matrixOf } from '@heterosis/linalg/matrix';
import { addOuterProduct } from '@heterosis/linalg/products';
import { tridiagonalizeInPlace } from '@heterosis/linalg/symmetric-eigen';
import { crossValidate } from '../src/genomic-prediction/cross-validate.ts';
import { createFolds } from '../src/genomic-prediction/folds.ts';
import { createKinshipAccumulator } from '../src/kinship/accumulate-kinship.ts';
import { useFullSpeed } from './bare-products.ts';
import { secondsOf, simulatePanel } from './simulate-panel.ts';

const n = Number(process.argv[2] ?? 360);
const markers = Number(process.argv[3] ?? 30_000);
const core = useFullSpeed();
const panel = simulatePanel(n, markers, 2);
let kinship = createMatrix(n, n);
const kinshipSeconds = secondsOf(() => {
  const accumulator = createKinshipAccumulator({
    panelSize: n,
    filter: { maf: 0.05, callRate: 0.9 },
    methods: ['vanraden1'],
  });
  accumulator.add(panel.packed, markers);
  kinship = accumulator.finish().kernels.vanraden1 ?? kinship;
});
let r = 0;
const folds = createFolds({ y: panel.y, nFold: 5, nRepetition: 10, seed: 1 });
const seconds = secondsOf(() => {
  r = crossValidate({ kinship, y: panel.y, folds }).total.pearsonR.mean;
});
const block = matrixOf(
  n,
  512,
  new Float64Array(n * 512).map((_, i) => ((i * 7919) % 13) - 6),
);
const sum = createMatrix(n, n);
const syrkSeconds = secondsOf(() => {
  for (let first = 0; first < markers; first += 512) addOuterProduct(sum, block);
});
const part = Math.round(n * 0.8) - 1;
const tridiagonalSeconds = secondsOf(() => {
  for (let fit = 0; fit < 50; fit++) {
    const copy = createMatrix(part, part);
    for (let j = 0; j < part; j++) copy.data.set(kinship.data.subarray(j * n, j * n + part), j * part);
    tridiagonalizeInPlace(copy);
  }
});
const line = (name: string, own: number, bare: number): void => {
  process.stdout.write(
    `${name.padEnd(34)} ${own.toFixed(3).padStart(8)} s   bare ${bare.toFixed(3).padStart(8)} s   ratio ${(own / bare).toFixed(2)}\n`,
  );
};
process.stdout.write(
  `n = ${n}, m = ${markers}, 5 × 10 folds, OpenBLAS kernels ${core}, one thread; mean r = ${r.toFixed(4)}\n`,
);
line('kinship (dsyrk)', kinshipSeconds, syrkSeconds);
line('50 fits (dsytrd)', seconds, tridiagonalSeconds);
line('together', kinshipSeconds + seconds, syrkSeconds + tridiagonalSeconds);

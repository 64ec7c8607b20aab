// The kernels of a GWAS against the bare matrix products of the same shapes, one thread, from packed calls in memory.
import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { addOuterProduct, multiply } from '@heterosis/linalg/products';
import { symmetricEigenInPlace } from '@heterosis/linalg/symmetric-eigen';
import { describeLinearAlgebra, setThreadCount } from '@heterosis/linalg/threads';
import { prepareGwas } from '../src/association/prepare-gwas.ts';
import { type AssociationTest, createMarkerTester } from '../src/association/test-markers.ts';
import { createKinshipAccumulator } from '../src/kinship/accumulate-kinship.ts';
import { secondsOf, simulatePanel } from './simulate-panel.ts';

const n = Number(process.argv[2] ?? 1000);
const markers = Number(process.argv[3] ?? 20_000);
setThreadCount(1);
const { core } = describeLinearAlgebra();
const panel = simulatePanel(n, markers, 1);
const selection = { panelSize: n, filter: { maf: 0.05, callRate: 0.9 } };

let kinship: Matrix | undefined;
const kinshipSeconds = secondsOf(() => {
  const accumulator = createKinshipAccumulator({ ...selection, methods: ['standardized'] });
  accumulator.add(panel.packed, markers);
  kinship = accumulator.finish().kernels.standardized;
});
if (kinship === undefined) throw new Error('no kinship');
const input = { kinship, traits: [panel.y], principalComponents: 0 };
let state: ReturnType<typeof prepareGwas> | undefined;
const prepareSeconds = secondsOf(() => {
  state = prepareGwas(input);
});
if (state === undefined) throw new Error('no null model');
const prepared = state;
const testSeconds = (tests: AssociationTest[]): number =>
  secondsOf(() => {
    createMarkerTester(prepared, { ...selection, tests }).test(panel.packed, markers);
  });
const lrtSeconds = testSeconds(['LRT']);
const allSeconds = testSeconds(['SCORE', 'WALD', 'LRT']);

// Bare BLAS: the same blocks, filled once.
const block = matrixOf(
  n,
  512,
  new Float64Array(n * 512).map((_, i) => ((i * 7919) % 13) - 6),
);
const sum = createMatrix(n, n);
const syrkSeconds = secondsOf(() => {
  for (let first = 0; first < markers; first += 512) addOuterProduct(sum, block);
});
const eigenSeconds = secondsOf(() => {
  symmetricEigenInPlace(matrixOf(n, n, kinship?.data.slice() ?? new Float64Array(0)));
});
const narrow = matrixOf(n, 256, block.data.subarray(0, n * 256));
const rotated = createMatrix(n, 256);
const basis = matrixOf(n, n, kinship.data);
const gemmSeconds = secondsOf(() => {
  for (let first = 0; first < markers; first += 256) multiply(basis, narrow, { transposeA: true, into: rotated });
});
const bare = syrkSeconds + eigenSeconds + gemmSeconds;
const line = (name: string, seconds: number, bareSeconds: number): void => {
  process.stdout.write(
    `${name.padEnd(34)} ${seconds.toFixed(3).padStart(8)} s   bare ${bareSeconds.toFixed(3).padStart(8)} s   ratio ${(seconds / bareSeconds).toFixed(2)}\n`,
  );
};
process.stdout.write(`n = ${n}, m = ${markers}, OpenBLAS kernels ${core}, one thread\n`);
line('kinship (dsyrk)', kinshipSeconds, syrkSeconds);
line('decomposition and null (dsyevd)', prepareSeconds, eigenSeconds);
line('LRT (dgemm)', lrtSeconds, gemmSeconds);
line('SCORE + WALD + LRT (dgemm)', allSeconds, gemmSeconds);
line('whole GWAS, LRT', kinshipSeconds + prepareSeconds + lrtSeconds, bare);
line('whole GWAS, all three', kinshipSeconds + prepareSeconds + allSeconds, bare);

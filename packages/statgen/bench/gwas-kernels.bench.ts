// The kernels of a GWAS against the bare matrix products of the same shapes, one thread, from packed calls in memory.
import type { Matrix } from '@heterosis/linalg/matrix';
import { prepareGwas } from '../src/association/prepare-gwas.ts';
import { type AssociationTest, createMarkerTester } from '../src/association/test-markers.ts';
import { createKinshipAccumulator } from '../src/kinship/accumulate-kinship.ts';
import { bareGwas, useFullSpeed } from './bare-products.ts';
import { secondsOf, simulatePanel } from './simulate-panel.ts';

const n = Number(process.argv[2] ?? 1000);
const markers = Number(process.argv[3] ?? 20_000);
const core = useFullSpeed();
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

const bare = bareGwas(n, markers);
const line = (name: string, seconds: number, bareSeconds: number): void => {
  process.stdout.write(
    `${name.padEnd(34)} ${seconds.toFixed(3).padStart(8)} s   bare ${bareSeconds.toFixed(3).padStart(8)} s   ratio ${(seconds / bareSeconds).toFixed(2)}\n`,
  );
};
process.stdout.write(`n = ${n}, m = ${markers}, OpenBLAS kernels ${core}, one thread\n`);
line('kinship (dsyrk)', kinshipSeconds, bare.syrk);
line('decomposition and null (dsyevd)', prepareSeconds, bare.eigen);
line('LRT (dgemm)', lrtSeconds, bare.gemm);
line('SCORE + WALD + LRT (dgemm)', allSeconds, bare.gemm);
line('whole GWAS, LRT', kinshipSeconds + prepareSeconds + lrtSeconds, bare.total);
line('whole GWAS, all three', kinshipSeconds + prepareSeconds + allSeconds, bare.total);

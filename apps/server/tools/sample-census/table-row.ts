import { RUN_KINDS, type RunKind, type RunPath, runKinds, runPaths } from '@heterosis/contracts/work/run-kinds';

/**
 * The row that this kind adds to the table of kinds; everything else of the kind lies in this folder, too. Import it
 * first: routes, schemas and messages are derived from the table while their modules load. The worker that has loaded
 * it keeps the row, so a test of it shares its worker with no other.
 */
const row = {
  path: 'sample_censuses',
  page: 'sampleCensus',
  noun: 'sample census',
  perTrait: false,
  section: 'analysis',
  needs: ['genotype'],
};

Object.assign(RUN_KINDS, { sample_census: row });
runKinds.push('sample_census' as RunKind);
runPaths.push(row.path as RunPath);

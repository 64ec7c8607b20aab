import type { ProgrammeDetail } from '@heterosis/contracts/work/programmes';
import { simulatedSchemes } from '@heterosis/contracts/work/programmes/programme-optimum';

/** Repeats the run with the command line, in the folder of its bundle. */
export function simulateScript(detail: Omit<ProgrammeDetail, 'methods'>): string {
  const { replicates, optimise } = detail.provenance.parameters;
  const { seed } = detail.provenance;
  const truth =
    detail.model === null
      ? ['--architecture architecture.json']
      : ['--model "$MODEL"', '--genotype-train "$GENOTYPE_TRAIN"'];
  const simulate = (i: number, ...rest: string[]): string =>
    [
      'heterosis simulate',
      ...[`--scheme scheme-${i + 1}.json`, '--haplotypes haplotypes.csv', '--map map.csv'],
      ...[...truth, `--seed ${seed ?? 1}`, ...rest],
    ].join(' \\\n  ');
  const search = ['allocations', 'steps'].map((name, i) => `${i === 0 ? '--out' : '--steps-out'} ${name}.again.csv`);
  return `#!/bin/sh
# Simulates the programmes of this run again; the files are those of the bundle.
${
  detail.model === null
    ? ''
    : `# Set MODEL to the model.json of the model "${inOneLine(detail.model.name)}" and GENOTYPE_TRAIN to its genotype file.
`
}set -eu
${[
  ...(optimise === undefined ? [] : [simulate(0, '--optimise optimise.json', ...search, '--scheme-out best.json')]),
  ...simulatedSchemes(detail.provenance.parameters, detail.report?.optimum?.allocations[0]?.numbers).map((_, i) =>
    simulate(
      i,
      `--replicates ${replicates}`,
      `--out cycles-${i + 1}.again.csv`,
      `--replicates-out replicates-${i + 1}.again.csv`,
    ),
  ),
].join('\n')}
`;
}

const inOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ');

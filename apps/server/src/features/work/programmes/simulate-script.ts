import type { ProgrammeDetail } from '@heterosis/contracts/work/programmes';

/** Repeats the run with the command line, in the folder of its bundle. */
export function simulateScript(detail: Omit<ProgrammeDetail, 'methods'>): string {
  const { schemes, replicates, optimise } = detail.provenance.parameters;
  const { seed } = detail.provenance;
  const truth =
    detail.model === null
      ? ['--architecture architecture.json']
      : ['--model "$MODEL"', '--genotype-train "$GENOTYPE_TRAIN"'];
  return `#!/bin/sh
# Simulates the programmes of this run again; the files are those of the bundle.
${
  detail.model === null
    ? ''
    : `# Set MODEL to the model.json of the model "${inOneLine(detail.model.name)}" and GENOTYPE_TRAIN to its genotype file.
`
}set -eu
${schemes
  .map((_, i) =>
    [
      'heterosis simulate',
      `--scheme scheme-${i + 1}.json`,
      '--haplotypes haplotypes.csv',
      '--map map.csv',
      ...truth,
      ...(optimise === undefined
        ? [
            `--replicates ${replicates}`,
            `--seed ${seed ?? 1}`,
            `--out cycles-${i + 1}.again.csv`,
            `--replicates-out replicates-${i + 1}.again.csv`,
          ]
        : [
            '--optimise optimise.json',
            `--seed ${seed ?? 1}`,
            '--out allocations.again.csv',
            '--steps-out steps.again.csv',
            '--scheme-out best.json',
          ]),
    ].join(' \\\n  '),
  )
  .join('\n')}
`;
}

const inOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ');

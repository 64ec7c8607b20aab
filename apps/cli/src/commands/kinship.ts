import type { fullAutopolyploidKinship } from '@heterosis/analysis/inputs/full-autopolyploid-kinship';
import type { GaussianKinship, GaussianKinshipInput } from '@heterosis/analysis/inputs/gaussian-kinship';
import { kinshipCsv, panelKinship } from '@heterosis/analysis/inputs/panel-kinship';
import { complaintsOf, inputsOf } from '@heterosis/contracts/options/define-options';
import { KINSHIP_OPTIONS } from '@heterosis/contracts/options/genotypes';
import { flagsOf, optionsOfFlags } from '@heterosis/contracts/options/option-flags';
import { type Command, type CommandIo, type CommandResult, defineCommand, inputError } from '../command.ts';
import { withGenotypeBlocks } from '../options/genotype-option.ts';
import { LEAVE_OUT_DESCRIPTION, leaveOutOfBlocksByOptions } from '../options/leaving-out-options.ts';
import { readPlainPhenotype } from '../options/plain-phenotype.ts';
import { writeOutput } from '../write-output.ts';

export const kinshipCommand: Command = defineCommand({
  name: 'kinship',
  summary: 'compute a kinship matrix',
  description: [
    'With p the frequency of the alternative allele A2 among the called genotypes: standardized is ZZᵀ/(m−1), Z = (dosage − 2p)/√(2p(1−p)), the default of GWAS; vanraden1 is (dosage − 2p)(dosage − 2p)ᵀ/2Σp(1−p), the default of prediction; dominance is the matrix of Vitezica and others (2013).',
    'In polyploids of ploidy k, k stands for the 2 of these formulas, and dominance is the digenic matrix of Endelman and others (2018), which digenic names too. slater is the full autopolyploid matrix of Slater and others (2016): an indicator for each class of dosage of each marker, centred and scaled, ZZᵀ/M over the M indicators.',
    'gaussian is exp(−h·D²/median of D²), D² the squared Euclidean distances of the marker codes and the median that of all pairs of individuals: 1 on the diagonal, not centred. The bandwidth h is given, or that of the largest REML likelihood of a trait. As --kinship-file it makes a model of train and evaluate.',
    'Missing calls count as the mean of their marker. Monomorphic markers are left out.',
    LEAVE_OUT_DESCRIPTION,
  ],
  options: flagsOf(KINSHIP_OPTIONS),
  output: ['CSV: the first row is id and the names of the individuals; each further row is a name and its kinships.'],
  examples: [
    'heterosis kinship --genotype maize --method vanraden1 --out kinship.csv',
    'heterosis kinship --genotype maize --method gaussian --bandwidth reml --phenotype traits.csv --trait EarHT --out kernel.csv',
  ],
  takesPolyploids: true,
  usesMatrixProducts: true,
  async run(options, io) {
    const given = optionsOfFlags(KINSHIP_OPTIONS, options);
    requireGoTogether(given);
    const { method, ...asked } = inputsOf(KINSHIP_OPTIONS, given);
    const bandwidth = method === 'gaussian' ? await bandwidthOf(options, io) : null;
    return withGenotypeBlocks(options.genotype, io, async (whole) => {
      const leftOut = await leaveOutOfBlocksByOptions(whole, options, io);
      const { panel } = leftOut;
      if (method === 'gaussian' && bandwidth !== null) {
        const { gaussianKinship } = await import('@heterosis/analysis/inputs/gaussian-kinship');
        const found = await gaussianKinship({ ...asked, panel, withMarkerColumns: false, bandwidth }, io.context);
        await writeOutput(options.out, kinshipCsv(panel.samples, found.kernel.data));
        return gaussianResult(found, panel.samples.length, leftOut, options.out);
      }
      if (method === 'gaussian') throw new TypeError('no bandwidth');
      if (method === 'slater') {
        const slater = await import('@heterosis/analysis/inputs/full-autopolyploid-kinship');
        const found = await slater.fullAutopolyploidKinship({ ...asked, panel }, io.context);
        await writeOutput(options.out, kinshipCsv(panel.samples, found.kernel));
        return slaterResult(found, panel.samples.length, leftOut, options.out);
      }
      const matrix = method === 'digenic' ? 'dominance' : method;
      const { kernels, scan } = await panelKinship(
        {
          panel,
          methods: [matrix],
          withMarkerColumns: false,
          maf: asked.maf,
          callRate: asked.callRate,
          precision: asked.precision,
        },
        io.context,
      );
      const kernel = kernels[matrix];
      if (kernel === undefined) throw new TypeError(`the kinship ${method} was not computed`);
      await writeOutput(options.out, kinshipCsv(panel.samples, kernel.data));
      return {
        summary: {
          method,
          precision: asked.precision,
          n: panel.samples.length,
          m: scan.keptCount,
          ...leftOut.summary,
          markers_read: scan.readCount,
          out: options.out,
        },
        lines: [
          ...leftOut.lines,
          `${method}: ${panel.samples.length} individuals, ${scan.keptCount} of ${scan.readCount} markers: ${options.out}`,
        ],
      };
    });
  },
});

function requireGoTogether(given: Readonly<Record<string, unknown>>): void {
  for (const { message, action } of complaintsOf(KINSHIP_OPTIONS, given))
    throw inputError('E-CLI-OPTION', message, action);
}

/** The number of `--bandwidth`, or the trait that chooses it. */
async function bandwidthOf(
  {
    bandwidth,
    phenotype: path,
    trait,
  }: { bandwidth: string; phenotype?: string | undefined; trait?: string | undefined },
  io: CommandIo,
): Promise<GaussianKinshipInput['bandwidth']> {
  if (bandwidth !== 'reml') {
    if (path !== undefined) throw inputError('E-CLI-OPTION', '--phenotype is about --bandwidth reml.', 'Leave it out.');
    return Number(bandwidth);
  }
  if (path === undefined || trait === undefined) {
    throw inputError('E-CLI-OPTION', '--bandwidth reml needs a trait.', 'Give --phenotype and --trait.');
  }
  return { phenotype: await readPlainPhenotype(path, io), trait };
}

function slaterResult(
  { classes, markersKept, markersRead }: Awaited<ReturnType<typeof fullAutopolyploidKinship>>,
  individuals: number,
  leftOut: { summary: Record<string, unknown>; lines: readonly string[] },
  out: string,
): CommandResult {
  return {
    summary: {
      method: 'slater',
      n: individuals,
      m: markersKept,
      classes,
      ...leftOut.summary,
      markers_read: markersRead,
      out,
    },
    lines: [
      ...leftOut.lines,
      `slater: ${individuals} individuals, ${classes} classes of ${markersKept} of ${markersRead} markers: ${out}`,
    ],
  };
}

function gaussianResult(
  { bandwidth, choice, markersKept, markersRead }: GaussianKinship,
  individuals: number,
  leftOut: { summary: Record<string, unknown>; lines: readonly string[] },
  out: string,
): CommandResult {
  return {
    summary: {
      method: 'gaussian',
      bandwidth,
      ...(choice === null
        ? {}
        : {
            trait: choice.trait,
            n_trait: choice.n,
            log_likelihood: choice.logLikelihood,
            at_end: choice.isAtEnd,
            profile: choice.profile.map((one) => ({ bandwidth: one.bandwidth, log_likelihood: one.logLikelihood })),
          }),
      n: individuals,
      m: markersKept,
      ...leftOut.summary,
      markers_read: markersRead,
      out,
    },
    lines: [
      ...leftOut.lines,
      ...(choice === null
        ? []
        : [
            `bandwidth ${bandwidth.toPrecision(5)} by REML of ${choice.trait} (n = ${choice.n}), log-likelihood ${choice.logLikelihood.toFixed(4)}${choice.isAtEnd ? '; it is largest at an end of what is searched' : ''}`,
          ]),
      `gaussian: ${individuals} individuals, ${markersKept} of ${markersRead} markers, h = ${bandwidth.toPrecision(5)}: ${out}`,
    ],
  };
}

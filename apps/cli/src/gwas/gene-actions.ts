import { type GeneActionFigures, streamGeneActionCsv } from '@heterosis/analysis/gwas/gene-actions/gene-action-table';
import { type GeneActionInput, scanGeneActions } from '@heterosis/analysis/gwas/gene-actions/scan-gene-actions';
import { GENE_ACTIONS, type GeneAction } from '@heterosis/contracts/options/gwas';
import { type CommandIo, type CommandResult, inputError } from '../command.ts';
import { writeOutput } from '../write-output.ts';

/** The gene actions of `--gene-action`, without duplicates, in the order of the table; `1-dom` and `2-dom` are both. */
export function chosenActions(asked: readonly string[]): GeneAction[] {
  const wanted = asked.map((name) => name.toLowerCase());
  for (const [i, name] of wanted.entries()) {
    if (GENE_ACTIONS.some((action) => isMeant(name, action))) continue;
    throw inputError(
      'E-CLI-VALUE',
      `--gene-action cannot be "${asked[i] ?? ''}".`,
      `Choose ${GENE_ACTIONS.join(', ')}, or 1-dom and 2-dom for both of them; several are separated by commas.`,
    );
  }
  return GENE_ACTIONS.filter((action) => wanted.some((name) => isMeant(name, action)));
}

const isMeant = (name: string, action: GeneAction): boolean =>
  name === action || ((name === '1-dom' || name === '2-dom') && action.startsWith(`${name}-`));

/** Tests markers under gene actions and writes their table. */
export async function testGeneActions(input: GeneActionInput, out: string, io: CommandIo): Promise<CommandResult> {
  const scan = await scanGeneActions(input, io.context);
  let found: GeneActionFigures[] = [];
  await writeOutput(
    out,
    (async function* () {
      found = yield* streamGeneActionCsv(scan, input.actions, input.panel);
    })(),
  );
  const { trait, individuals, markersRead, nullModel } = scan;
  const n = individuals.length;
  return {
    summary: {
      trait,
      n,
      markers_read: markersRead,
      fixed_effects: scan.fixedEffects,
      without_covariate: scan.withoutCovariate,
      maf: input.maf,
      call_rate: input.callRate,
      loco: input.leaveOneChromosomeOut === true,
      variance_null: {
        h2: nullModel.h2,
        kinship: nullModel.kinshipVariance,
        residual: nullModel.residualVariance,
        log_likelihood: nullModel.logLikelihood,
      },
      gene_actions: found.map(({ action, markers, bonferroni, hits, hitsP3d, top }) => ({
        ...{ gene_action: action, m: markers, bonferroni, hits, hits_p3d: hitsP3d, top },
      })),
      out,
    },
    lines: [
      `${trait}: n = ${n}, ${markersRead} markers read${input.leaveOneChromosomeOut === true ? ', each chromosome left out in turn' : ''}, h² without marker${input.leaveOneChromosomeOut === true ? ' (of all chromosomes)' : ''} ${nullModel.h2.toFixed(3)}`,
      ...found.map(
        ({ action, markers, bonferroni, hits, hitsP3d, top }) =>
          `${action}: ${markers} markers, ${hits} beyond Bonferroni (p ≤ ${bonferroni.toExponential(2)}) with variances of their own, ${hitsP3d} by P3D${top === null ? '' : `, first ${top}`}`,
      ),
      `written: ${out}`,
    ],
  };
}

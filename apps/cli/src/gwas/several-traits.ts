import {
  type SeveralTraitsInput,
  scanSeveralTraits,
} from '@heterosis/analysis/gwas/several-traits/scan-several-traits';
import {
  type SeveralTraitsFound,
  type SeveralTraitsTest,
  streamSeveralTraitsCsv,
} from '@heterosis/analysis/gwas/several-traits/several-traits-table';
import { brokenRules } from '@heterosis/contracts/options/define-options';
import { GWAS_OPTIONS } from '@heterosis/contracts/options/gwas';
import { type CommandIo, type CommandResult, inputError } from '../command.ts';
import { describeTogether } from '../describe-together.ts';
import { writeOutput } from '../write-output.ts';
import { covariateLines, fixedEffectWarnings } from './covariate-words.ts';

interface Files {
  genotype: string;
  /** Of the traits. */
  path: string;
  out: string;
}

/** `--multi-trait`, whose choices the parser knows. */
export function severalTraitsTest(choice: string | undefined): SeveralTraitsTest | undefined {
  return choice === 'any' || choice === 'specific' ? choice : undefined;
}

/** What does not go with several traits. */
export function refuseBesideTraits(
  options: { clumps?: string | undefined; estimate: boolean; engine: string },
  asked: Readonly<Record<string, unknown>>,
): void {
  const [broken] = brokenRules(GWAS_OPTIONS, 'multi_trait', asked);
  if (broken !== undefined) throw inputError('E-CLI-OPTION', broken[1].message, broken[1].action);
  const given =
    options.clumps !== undefined ? 'clumps' : options.estimate ? 'estimate' : options.engine === 'markers' && 'engine';
  if (given === false) return;
  throw inputError('E-CLI-OPTION', `--multi-trait does not go with --${given}.`, 'Give one of them.');
}

const TESTED: Record<SeveralTraitsTest, string> = {
  any: 'no effect on any trait',
  specific: 'the same effect on all traits',
};

/** Tests markers on several traits together and writes their table. */
export async function testSeveralTraits(
  input: SeveralTraitsInput,
  test: SeveralTraitsTest,
  { genotype, path, out }: Files,
  io: CommandIo,
): Promise<CommandResult> {
  const scan = await scanSeveralTraits(input, io.context);
  let found: SeveralTraitsFound | undefined;
  await writeOutput(
    out,
    (async function* () {
      found = yield* streamSeveralTraitsCsv(scan, test, input.panel);
    })(),
  );
  if (found === undefined) throw new TypeError('the table was not written');
  const { tests, top: place } = found;
  const top = place === null ? null : ((await input.panel.readMarkers(place, 1)).id[0] ?? null);
  const warnings = fixedEffectWarnings(scan.covariates, scan.conditionedOn);
  io.report(warnings.ofFile, path);
  io.report(warnings.ofMarkers, genotype);
  const n = scan.individuals.length;
  const { tested, lambdaGc, bonferroniNegLog10, hits, fdr, discoveries } = tests;
  const bonferroni = 10 ** -bonferroniNegLog10;
  return {
    summary: {
      traits: scan.traits,
      multi_trait_test: test,
      n,
      records: scan.records,
      m: tested,
      markers_read: scan.markersRead,
      fixed: input.fixed,
      loco: input.leaveOneChromosomeOut ?? false,
      covariates: scan.covariates.filter(({ use }) => use === 'used').map(({ name }) => name),
      conditioned_on: scan.conditionedOn.filter(({ use }) => use === 'used').map(({ name }) => name),
      without_covariate: scan.withoutCovariate,
      without_kinship: scan.withoutKinship,
      added_to_diagonal: scan.addedToDiagonal,
      multi_trait: { ...scan.figures, error_weights: undefined },
      lambda: lambdaGc,
      bonferroni,
      hits,
      fdr,
      fdr_hits: discoveries,
      top,
      out,
    },
    lines: [
      `${scan.traits.join(', ')}: ${n} individuals with ${scan.records.join(', ')} records, ${tested} of ${scan.markersRead} markers`,
      ...covariateLines(scan.covariates, scan.withoutCovariate),
      ...describeTogether(scan.figures),
      `against ${TESTED[test]}: λ = ${lambdaGc.toFixed(3)}, ${hits} ${hits === 1 ? 'marker' : 'markers'} beyond Bonferroni (p ≤ ${bonferroni.toExponential(2)})${top === null ? '' : `, first ${top}`}`,
      `written: ${out}`,
    ],
  };
}

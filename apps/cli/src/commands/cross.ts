import { crossesCsv, progenyHeader, progenyRows } from '@heterosis/analysis/crossing/crosses-csv';
import {
  type CrossResult,
  evaluateCrosses,
  type PairRanking,
  type ProgenyChoice,
} from '@heterosis/analysis/crossing/evaluate-crosses';
import { readParentalHaplotypes } from '@heterosis/analysis/crossing/parental-haplotypes';
import {
  evaluatePolyploidCrosses,
  LARGEST_DOUBLE_REDUCTION,
  openCentromeres,
  ploidyOf,
} from '@heterosis/analysis/crossing/polyploids';
import { parentsOfCross } from '@heterosis/analysis/crossing/populations';
import { progenyVcf } from '@heterosis/analysis/crossing/progeny-vcf';
import { rankAllPairs } from '@heterosis/analysis/crossing/rank-all-pairs';
import { openCrosses } from '@heterosis/analysis/crossing/read-crossing-files';
import { csvRow } from '@heterosis/analysis/results/csv';
import { CROSSING_OPTIONS, CROSSING_OUTPUTS } from '@heterosis/contracts/options/crossing';
import { EFFECT_OPTIONS, OUT } from '@heterosis/contracts/options/inputs';
import { flagsOf, optionsOfFlags } from '@heterosis/contracts/options/option-flags';
import { type Command, defineCommand, inputError } from '../command.ts';
import { knownTraits, openOriginal, readEffectsOption, warnings } from '../crossing-inputs.ts';
import { type OpenedPanel, withGenotype } from '../options/genotype-option.ts';
import { readMap, reportMap } from '../options/map-options.ts';
import { refuseTogether } from '../options/model-options.ts';
import { openOutput, writeOutput } from '../write-output.ts';

export const crossCommand: Command = defineCommand({
  name: 'cross',
  summary: 'predict and simulate the progeny of crosses',
  description: [
    'Computes for each cross and trait the exact mean and variance of the genetic values of its progeny from marker effects, phased parents and a linkage map (additive and dominance effects; inbred and heterozygous parents), and simulates progeny.',
    "Heterozygous parents need a phased VCF (0|1), as heterosis phase writes it; inbred parents may come in any format. A parent's missing calls take the commoner allele of the parents.",
    'F1 is the progeny of the parents themselves; F2 to F9 single-seed descent; RIL selfing to fixation; DH doubled haploids from F1 plants, F2_DH to F5_DH from F2 to F5 plants; BC1_female to BC3_male the F1 crossed back once to three times to that parent; BC1_female_DH and BC1_male_DH doubled haploids from BC1 plants. Every progeny comes from an F1 plant of its own.',
    'The column "type" of the crossing table says for each cross what is grown: one of these populations, self (the selfed progeny of a plant) or biparental (what --population says). A selfing, and doubled haploids of a plant itself (type DH), need no male.',
    'A crossing table with the columns parent1, parent2, parent3 and perhaps parent4 plans three-way crosses, (parent1 × parent2) × parent3, and four-way crosses, (parent1 × parent2) × (parent3 × parent4). Backcrosses to the "female" then go to the first side, those to the "male" to the second.',
    'Recombination follows from map distance by the Haldane map function (no interference) or, for the exact figures, by that of Kosambi. Kosambi gives the recombination of pairs of loci, which is all that means and variances need; progeny are simulated by Haldane only, because how crossovers lie along a chromosome does not follow from it.',
    'Of polyploids the F1 of two plants and the selfed progeny of one are predicted and simulated, from a VCF with the homologs of the parents in order (0|1|1|0), or without phase by --phase unknown. A dominance effect d of x copies of k is d·4x(k − x)/k². Homologs pair as bivalents, any two alike, or with --preferential the first with the second and the third with the fourth; --pairing quadrivalent lets tetraploids have double reduction, (1 − exp(−7d/3))/7 at d Morgan from the centromere times the share of quadrivalents.',
    'The same seed gives the same progeny whatever the number of threads and the order of the crosses.',
  ],
  options: {
    ...flagsOf(EFFECT_OPTIONS),
    genotype: {
      kind: 'text',
      path: 'genotype',
      placeholder: 'FILE',
      required: true,
      help: 'Genotypes of the parents: phased VCF, or any format for inbred parents.',
    },
    crosses: {
      kind: 'text',
      path: 'read',
      placeholder: 'FILE',
      help: 'The crossing table: female and male, optionally name, number of progeny and type. Required unless --all-pairs is given.',
    },
    ...flagsOf(CROSSING_OPTIONS),
    ...flagsOf({ out: { ...OUT, about: 'The CSV file to write, one row a cross and trait.' } }),
    ...flagsOf(CROSSING_OUTPUTS),
  },
  output: [
    'CSV with cross, parent1, parent2, trait, mean, variance, sd, usefulness (mean + i·accuracy·sd), p_transgress (chance that a progeny beats the best parent), expected_best (of the number of progeny), sim_mean, sim_variance (empty without simulation), population (what was grown; a selfing is the F1 of a plant with itself), parent3, parent4 (of three- and four-way crosses), kinship (genomic relationship of the two sides of the cross, as heterosis kinship gives it for the genotype), segregating_markers (markers with an effect at which the parents differ).',
    'The progeny file has cross, id, and value_T for each trait T.',
    'The progeny VCF names the individuals as the progeny file does; of polyploids a call has the alleles from the female and the male in turn. Its header has the seed and the parents, population and number of progeny of every cross. It holds the markers that have an effect and a place on the map, and can itself be the genotype of the next cross.',
  ],
  takesPolyploids: true,
  usesMatrixProducts: true,
  examples: [
    'heterosis cross --model model.json --genotype parents.vcf --crosses crosses.csv --map map.csv --population RIL --progeny 500 --out crosses-out.csv',
    'heterosis cross --effects effects.csv --genotype lines.vcf --all-pairs --map map.csv --analytic-only --out ranking.csv',
  ],
  async run(options, io) {
    const allPairs = options['all-pairs'];
    const crossesPath = options.crosses;
    if (crossesPath === undefined && !allPairs) {
      throw inputError('E-CLI-MISSING', 'cross needs --crosses or --all-pairs.', 'Run: heterosis cross --help');
    }
    const asked = optionsOfFlags(CROSSING_OPTIONS, options);
    refuseTogether(CROSSING_OPTIONS, asked);
    const { population = 'DH', map_function: mapFunction = 'haldane' } = asked;
    if (allPairs && crossesPath !== undefined) {
      throw inputError('E-CLI-OPTION', '--crosses and --all-pairs exclude each other.', 'Leave one of them out.');
    }
    for (const wanted of ['progeny-out', 'progeny-vcf'] as const) {
      if (options[wanted] === undefined || (!allPairs && !options['analytic-only'])) continue;
      throw inputError(
        'E-CLI-OPTION',
        `--${wanted} needs simulated progeny, and ${allPairs ? '--all-pairs' : '--analytic-only'} simulates none.`,
        'Leave out one of the two.',
      );
    }
    if (mapFunction !== 'haldane' && !allPairs && !options['analytic-only']) {
      throw inputError(
        'E-CLI-OPTION',
        `Progeny cannot be simulated with --map-function ${mapFunction}.`,
        'Add --analytic-only for the exact figures, or use haldane.',
      );
    }
    const effects = await readEffectsOption('cross', options, io);
    const lowTraits = knownTraits(effects, 'low-traits', options['low-traits']);
    const highTraits = knownTraits(effects, 'high-traits', options['high-traits']);
    const both = lowTraits.find((name) => highTraits.includes(name));
    if (both !== undefined) {
      throw inputError(
        'E-CLI-OPTION',
        `"${both}" is in --low-traits and in --high-traits.`,
        'Leave it in one of them.',
      );
    }
    const map = await readMap(options.map, options['map-unit'], io);

    const result = await withGenotype(
      options.genotype,
      io,
      async (panel): Promise<PairRanking & Partial<Pick<CrossResult, 'progeny'>>> => {
        const crosses = crossesPath === undefined ? null : await openCrosses(crossesPath, panel.samples, io.context);
        if (crosses !== null) io.report(warnings(crosses.problems), crossesPath ?? '');
        const polyploids = polyploidPairing(options, panel);
        const isUnphased = polyploids?.phase === 'unknown';
        if (isUnphased && options['progeny-vcf'] !== undefined) {
          throw inputError(
            'E-CLI-OPTION',
            '--progeny-vcf writes homologs, and --phase unknown does not know them.',
            'Leave out one of the two; --progeny-out has the values of the progeny.',
          );
        }
        const names = crosses === null ? panel.samples : [...new Set(crosses.value.flatMap(parentsOfCross))];
        const original = await openOriginal(options.genotype);
        try {
          const common = {
            effects,
            map,
            missingMapMarkers: asked.missing_map_markers ?? 'interpolate',
            selection: {
              fraction: options.select,
              accuracy: options.accuracy,
              direction: options.low ? ('low' as const) : ('high' as const),
            },
            lowTraits,
            highTraits,
            progeny: options.progeny,
          };
          const grown = {
            seed: options.seed,
            simulate: !options['analytic-only'],
            keepProgeny: options['progeny-vcf'] !== undefined,
          };
          const output = { path: options['progeny-out'], traits: effects.traits.map(({ name }) => name) };
          if (polyploids !== null) {
            const centromeresCm =
              options.centromeres === undefined
                ? new Map<string, number>()
                : await openCentromeres(options.centromeres);
            const wanted = { crosses: crosses?.value ?? null, centromeresCm, ...polyploids };
            return await writingProgeny(output, (onProgeny) =>
              evaluatePolyploidCrosses({ ...common, ...wanted, ...grown, ...onProgeny, panel, original }, io.context),
            );
          }
          const parents = await readParentalHaplotypes({ panel, original, names }, io.context);
          const input = { ...common, parents, mapFunction };
          if (crosses === null) return await rankAllPairs({ ...input, population }, io.context);
          const wanted = { crosses: crosses.value, population };
          return await writingProgeny(output, (onProgeny) =>
            evaluateCrosses({ ...input, ...wanted, ...grown, ...onProgeny }, io.context),
          );
        } finally {
          await original?.close();
        }
      },
    );
    reportMap(result.mapReport.problems, options.map, io);
    await writeOutput(options.out, crossesCsv(result.rows));
    const vcf = options['progeny-vcf'];
    if (vcf !== undefined && result.progeny) {
      await writeOutput(vcf, progenyVcf(result.progeny, vcf.endsWith('.gz'), io.context));
    }
    const written = [options.out, options['progeny-out'], vcf].filter((path) => path !== undefined);
    const { report, traits, rows } = result;
    const grown = [...new Set(rows.map((row) => row.population))].join(', ');
    return {
      summary: {
        population: grown,
        ...(asked.phase === 'unknown' ? { phase: asked.phase } : {}),
        n: rows.length / traits.length,
        m: report.shared,
        traits,
        markers: report,
        out: options.out,
      },
      lines: [
        `${rows.length / traits.length} crosses, ${grown}, ${report.shared} of ${report.effect_markers} markers with effects (${report.unmapped} not on the map, ${report.interpolated} placed between neighbours)`,
        ...(asked.phase === 'unknown'
          ? ['phase unknown: variances are means over all phases of the parents, without linkage within them']
          : []),
        ...(report.filled_calls > 0
          ? [`${report.filled_calls} missing calls of the parents set to the commoner allele`]
          : []),
        `written: ${written.join(', ')}`,
      ],
    };
  },
});

/** What is known of polyploid parents, and how their chromosomes pair; null for diploids. */
function polyploidPairing(
  options: {
    pairing: string;
    population: string;
    'double-reduction'?: number | undefined;
    'map-function': string;
    preferential: number;
    phase: string;
  },
  panel: OpenedPanel,
): { quadrivalents: number; preferential: number; phase: 'known' | 'unknown' } | null {
  const ploidy = ploidyOf(panel);
  const isQuadrivalent = options.pairing === 'quadrivalent';
  if (!isQuadrivalent && options['double-reduction'] !== undefined) {
    const { message, action } = CROSSING_OPTIONS.double_reduction.needs.pairing;
    throw inputError('E-CLI-OPTION', `${message}.`, action);
  }
  if (isQuadrivalent && ploidy !== 4) {
    throw inputError(
      'E-CLI-OPTION',
      `--pairing quadrivalent is for tetraploids, and the plants have ploidy ${ploidy}.`,
      'Leave it out.',
    );
  }
  const { preferential } = options;
  const phase = options.phase === 'unknown' ? 'unknown' : 'known';
  if (ploidy === 2 && phase === 'unknown') {
    throw inputError(
      'E-CLI-OPTION',
      '--phase unknown is for polyploids.',
      'Leave it out, and phase the genotype first: heterosis phase.',
    );
  }
  if (ploidy === 2 && preferential > 0) {
    throw inputError('E-CLI-OPTION', 'The two homologs of diploids always pair.', 'Leave out --preferential.');
  }
  if (ploidy === 2) return null;
  if (options['map-function'] !== 'haldane') {
    throw inputError('E-CLI-OPTION', 'Polyploids recombine by the Haldane map function.', 'Leave out --map-function.');
  }
  const { 'double-reduction': doubleReduction = LARGEST_DOUBLE_REDUCTION } = options;
  const quadrivalents = isQuadrivalent ? Math.min(1, doubleReduction / LARGEST_DOUBLE_REDUCTION) : 0;
  return { quadrivalents, preferential, phase };
}

/** Evaluates crosses; values of simulated progeny are written to a file, where one is named, as they arrive. */
async function writingProgeny<Result>(
  { path, traits }: { path: string | undefined; traits: readonly string[] },
  evaluate: (choice: Pick<ProgenyChoice, 'onProgeny'>) => Promise<Result>,
): Promise<Result> {
  if (path === undefined) return await evaluate({});
  const output = await openOutput(path);
  try {
    await output.write(csvRow(progenyHeader(traits)));
    const result = await evaluate({
      onProgeny: async (cross, values) => {
        let chunk = '';
        for (const row of progenyRows(cross.name, values, traits.length)) {
          chunk += csvRow(row);
          if (chunk.length < CHUNK_LENGTH) continue;
          await output.write(chunk);
          chunk = '';
        }
        await output.write(chunk);
      },
    });
    await output.finish();
    return result;
  } catch (error) {
    await output.discard();
    throw error;
  }
}

const CHUNK_LENGTH = 1 << 16;

import { readFile } from 'node:fs/promises';
import { parseModelJson, predictionsCsv } from '@heterosis/analysis/prediction/model-file';
import { predict } from '@heterosis/analysis/prediction/predict';
import { inputsOf } from '@heterosis/contracts/options/define-options';
import { CSV } from '@heterosis/contracts/options/inputs';
import { flagsOf, optionsOfFlags } from '@heterosis/contracts/options/option-flags';
import { PREDICTION_OPTIONS } from '@heterosis/contracts/options/predictions';
import { type Command, defineCommand } from '../command.ts';
import { GENOTYPE_OPTION, type OpenedPanel, withGenotype } from '../options/genotype-option.ts';
import { LEAVE_OUT_SAMPLES, leaveOutByOptions } from '../options/leaving-out-options.ts';
import { readPlainPhenotype } from '../options/plain-phenotype.ts';
import { writeOutput } from '../write-output.ts';

export const predictCommand: Command = defineCommand({
  name: 'predict',
  summary: 'predict breeding values of genotyped individuals with a trained model',
  description: [
    'Predicts every individual of a genotype with a model that heterosis train has written. Markers are found by id, then by chromosome and position; where the two files count different alleles, or write the other strand, the genotype is turned round. A marker that is missing counts as the mean of the training individuals.',
    'The genotype is refused when it has too few of the markers of the model.',
    'A model by a kernel (train --model gaussian) predicts by distances to the individuals of its training, and needs their genotype: give it by --genotype-train, or predict a genotype that holds them too.',
    'With a model of several traits together, --known gives records of some traits of individuals that are predicted: all their traits, and those of their relatives, then rest on them too. Covariances are those of the model; means are estimated again from all records.',
  ],
  options: {
    model: {
      kind: 'text',
      path: 'read',
      placeholder: 'FILE',
      required: true,
      help: 'The model.json of heterosis train.',
    },
    genotype: GENOTYPE_OPTION,
    ...flagsOf(PREDICTION_OPTIONS),
    ...LEAVE_OUT_SAMPLES,
    ...flagsOf({ out: CSV }),
  },
  output: [
    'CSV with one row an individual: id, and for each trait T gebv_T, the breeding value, and reliability_T. For models with dominance genotypic_T, what the individual itself is expected to show, and genotypic_reliability_T follow: a breeding value counts average effects of substitution, additive + (1 − 2p) × dominance, and leaves dominance deviations out. The reliability, 1 − PEV / (variance × kinship of the individual to itself), is known for individuals that were genotyped, with the same genotype, when the model was trained; for others it is empty unless --genotype-train is given.',
  ],
  examples: [
    'heterosis predict --model model.json --genotype candidates.vcf.gz --out predictions.csv',
    'heterosis predict --model together.json --genotype candidates.vcf.gz --genotype-train maize.vcf.gz --known early.csv --out predictions.csv',
  ],
  takesPolyploids: true,
  usesMatrixProducts: true,
  async run(options, io) {
    const model = parseModelJson(await readFile(options.model, 'utf8'));
    const genotypeTrain = options['genotype-train'];
    const known = options.known === undefined ? undefined : await readPlainPhenotype(options.known, io);
    const { prediction, leftOut } = await withGenotype(options.genotype, io, async (whole) => {
      const restricted = await leaveOutByOptions(whole, options, io);
      const { panel } = restricted;
      const run = (training?: OpenedPanel) =>
        predict(
          {
            model,
            panel,
            ...inputsOf(PREDICTION_OPTIONS, optionsOfFlags(PREDICTION_OPTIONS, options)),
            ...(training === undefined ? {} : { training }),
            ...(known === undefined ? {} : { known }),
          },
          io.context,
        );
      return {
        prediction: await (genotypeTrain === undefined ? run() : withGenotype(genotypeTrain, io, run)),
        leftOut: restricted,
      };
    });
    await writeOutput(options.out, predictionsCsv(prediction));
    const { report } = prediction;
    const share =
      report.variance_share === null ? '' : `, ${(100 * report.variance_share).toFixed(1)} % of the genetic variance`;
    return {
      summary: {
        n: report.individuals,
        m: report.shared,
        traits: prediction.traits.map((trait) => trait.name),
        markers: report,
        ...leftOut.summary,
        out: options.out,
      },
      lines: [
        ...leftOut.lines,
        `${report.shared} of ${report.model_markers} markers found${share}; ${report.swapped} with alleles exchanged, ${report.by_position} by position, ${report.mismatched} with other alleles`,
        ...(report.without_reliability === 0
          ? []
          : [
              `${report.without_reliability} individuals without reliability: they were not in the training, and --genotype-train was not given`,
            ]),
        ...(report.known === undefined
          ? []
          : [`${report.known} individuals with known records of traits of the model`]),
        `${report.individuals} individuals predicted: ${options.out}`,
      ],
    };
  },
});

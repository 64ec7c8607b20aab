import { sentencesOf } from '@heterosis/contracts/options/define-options';
import { PREDICTION_OPTIONS } from '@heterosis/contracts/options/predictions';
import type { PredictionDetail } from '@heterosis/contracts/work/predictions';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import { leftOut } from '../runs/results/index.ts';

const KERNELS = { gaussian: 'the Gaussian kernel', 'kernel-average': 'the average of three Gaussian kernels' };

/** A paragraph for the methods section of a paper. */
export function predictionMethods({ traits, model, report, provenance }: PredictionDetail): string {
  const shared =
    report === null
      ? ''
      : ` ${groupedNumber(report.shared)} of the ${groupedNumber(report.model_markers)} markers of the model were found.`;
  return [
    `Breeding values of ${traits.join(', ')} were predicted with the model “${model?.name ?? 'deleted'}” ${report?.kernel === undefined ? 'as its intercept plus the sum of allele dosages times marker effects' : `by ${KERNELS[report.kernel]} of their marker distances to the lines of its training`}.${shared}`,
    ...(report?.known === undefined
      ? []
      : [
          `Known records of ${groupedNumber(report.known)} individuals were joined with those of the training, at the genetic and residual covariances of the model, and the means estimated again.`,
        ]),
    ...leftOut.inWords(report?.left_out),
    'Markers were matched by name, then by position; exchanged alleles were turned, and missing markers counted as the mean of the training panel.',
    ...Object.values(sentencesOf(PREDICTION_OPTIONS, provenance.parameters)),
    `Computed with Heterosis ${provenance.software_version}.`,
  ].join(' ');
}

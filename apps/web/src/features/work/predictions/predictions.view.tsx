import { createPredictionBody, type Prediction, type PredictionDetail } from '@heterosis/contracts/work/predictions';
import { DownloadCsv, leftOutFact, PREDICTION_STAGES, type RunView, traitNames } from '../runs/index.ts';
import { predictionRuns } from './predictions.api.ts';

export const PREDICTION_VIEW: RunView<Prediction, PredictionDetail> = {
  ...predictionRuns,
  body: createPredictionBody,
  inputs: ['model', 'genotype'],
  stages: () => PREDICTION_STAGES,
  useFacts: (prediction, { t, file, model }) => [
    model(prediction.model),
    file(t('word.genotypeFile'), prediction.genotype),
    ...(prediction.provenance.parameters['known'] === true ? [file(t('predictions.known'), prediction.phenotype)] : []),
    {
      label: t('word.traits'),
      // All of them on hover.
      value: <span title={prediction.traits.join(', ')}>{traitNames(prediction.traits, t)}</span>,
    },
    ...leftOutFact(t, prediction),
  ],
  Action: ({ run }) => <DownloadCsv url={run.csv_url} isAside />,
};

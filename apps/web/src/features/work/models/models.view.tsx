import { hasMarkerEffects } from '@heterosis/contracts/options/model-types';
import { MODEL_OPTIONS } from '@heterosis/contracts/options/models';
import { createModelBody, type Model, type ModelDetail } from '@heterosis/contracts/work/models';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DataColumn } from '../../../components/table/data-table.tsx';
import { useModal } from '../../../lib/browser/modal.ts';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { formatDecimals } from '../../../lib/format/format.ts';
import { useMayWrite, useTraitOrder } from '../../people/projects/index.ts';
import {
  errorFacts,
  type FactMakers,
  figureColumn,
  leftOutFact,
  type RunPartProps,
  type RunView,
  stagesOfModel,
  type WithState,
} from '../runs/index.ts';
import { ModelsMatrix } from './matrix/models-matrix.tsx';
import { isFlat } from './model-headline.ts';
import { modelRuns } from './models.api.ts';

const R_DECIMALS = 2;

export const MODEL_VIEW: RunView<Model, ModelDetail> = {
  ...modelRuns,
  body: createModelBody,
  inputs: ['genotype', 'phenotype'],
  compareWith: 'compare-models',
  Matrix: ModelsMatrix,
  stages: () => stagesOfModel,
  useColumns,
  useFacts,
  Action,
};

function useColumns(projectId: string, runs: readonly WithState<Model>[] | undefined) {
  const { t } = useTranslation();
  const textOf = useOptionText('models', MODEL_OPTIONS);
  const inOrder = useTraitOrder(projectId);
  const figures = [
    figureColumn<WithState<Model>>(runs, inOrder, {
      id: 'r',
      header: t('models.r'),
      hint: t('models.rHint'),
      value: (one, trait) => one.evaluation[trait]?.pearson_r.mean,
      error: { header: t('models.rSd'), value: (one, trait) => one.evaluation[trait]?.pearson_r.sd },
      format: (r) => formatDecimals(r, R_DECIMALS),
      sortedBy: (values) => Math.max(...values),
      minWidth: 300,
    }),
  ];
  const columns: DataColumn<WithState<Model>>[] = [
    {
      id: 'dominance',
      header: t('models.effects'),
      value: (one) =>
        hasMarkerEffects(one.model_type)
          ? t(one.include_dominance_effects ? 'models.additiveDominance' : 'models.additive')
          : textOf('model_type', 'labels', one.model_type),
      width: 175,
    },
  ];
  return { figures, columns };
}

function useFacts(model: ModelDetail, { t, file }: FactMakers) {
  const textOf = useOptionText('models', MODEL_OPTIONS);
  const {
    covariates = [],
    fixed,
    fixed_markers: markers = [],
    leave_out: leaveOut,
    single_step: isSingleStep,
  } = model.provenance.parameters;
  return [
    file(t('word.genotypeFile'), model.genotype),
    file(t('runs.phenotype'), model.phenotype),
    ...(isSingleStep ? [file(t('nav.pedigree'), model.pedigree)] : []),
    ...(model.model_type === 'RRBLUP'
      ? []
      : [{ label: textOf('model_type', 'label'), value: textOf('model_type', 'labels', model.model_type) }]),
    ...(hasMarkerEffects(model.model_type)
      ? [
          {
            label: t('models.effects'),
            value: model.include_dominance_effects ? t('models.additiveDominance') : t('models.additive'),
          },
        ]
      : []),
    {
      label: textOf('leave_out', 'label'),
      value:
        leaveOut === undefined
          ? t('models.folds', { folds: model.n_fold, repetitions: model.n_repetition })
          : t('models.leftOut', { column: leaveOut }),
    },
    ...(covariates.length > 0 ? [{ label: t('gwas.covariates'), value: covariates.join(', ') }] : []),
    ...(model.provenance.parameters.multi_trait
      ? [{ label: t('word.traits'), value: t('models.fittedTogether') }]
      : []),
    ...(fixed === undefined ? [] : [{ label: textOf('fixed', 'label'), value: fixed }]),
    ...(markers.length > 0 ? [{ label: textOf('fixed_markers', 'label'), value: markers.join(', ') }] : []),
    ...errorFacts(model.provenance.parameters, textOf, t),
    ...leftOutFact(t, model),
  ];
}

function Action({ projectId, run: model }: RunPartProps<ModelDetail>) {
  const { t } = useTranslation();
  const modal = useModal();
  if (!useMayWrite(projectId)) return null;
  const trained = model.traits.filter((trait) => model.fit[trait]);
  return (
    <Button
      onClick={() => modal.open('create-prediction', `model:${model.id}`)}
      disabled={trained.every((trait) => isFlat(model, trait))}
    >
      {t('predictions.create')}
    </Button>
  );
}

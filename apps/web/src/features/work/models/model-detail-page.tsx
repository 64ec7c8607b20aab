import { MODEL_OPTIONS } from '@heterosis/contracts/options/models';
import type { ModelDetail } from '@heterosis/contracts/work/models';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Headline } from '../../../components/page/headline.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { TabStrip } from '../../../components/page/tab-strip.tsx';
import { useTabInAddress } from '../../../components/page/use-tab-in-address.ts';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { useSelection } from '../../../components/table/use-selection.ts';
import { useModal } from '../../../lib/browser/modal.ts';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { formatDecimals, formatDuration } from '../../../lib/format/format.ts';
import { useMayWrite } from '../../people/projects/index.ts';
import {
  InputFile,
  leftOutFact,
  ProvenanceSection,
  RunLoader,
  RunPage,
  stagesOfModel,
  type WithState,
} from '../runs/index.ts';
import { DownloadsTab } from './downloads-tab.tsx';
import { EvaluationTab } from './evaluation-tab.tsx';
import { FixedEffectsTab, hasFixedEffects } from './fixed-effects-tab.tsx';
import { GebvTab } from './gebv-tab.tsx';
import { MarkerEffectsTab } from './marker-effects-tab.tsx';
import { verdictsOf } from './model-headline.ts';
import { modelQuery, useModelMutations } from './models.api.ts';
import { TraitFigures } from './trait-figures.tsx';

export function ModelDetailPage({ projectId, modelId }: { projectId: string; modelId: string }) {
  const query = useQuery(modelQuery(projectId, modelId));
  return (
    <RunLoader projectId={projectId} kind="model" query={query}>
      {(model) => <LoadedModel projectId={projectId} model={model} />}
    </RunLoader>
  );
}

function LoadedModel({ projectId, model }: { projectId: string; model: WithState<ModelDetail> }) {
  const { t } = useTranslation();
  const textOf = useOptionText('models', MODEL_OPTIONS);
  const modal = useModal();
  const mayWrite = useMayWrite(projectId);
  const mutations = useModelMutations(projectId);
  const trained = model.traits.filter((trait) => model.fit[trait]);
  const { covariates = [], fixed, leave_out: leaveOut } = model.provenance.parameters;
  return (
    <RunPage
      projectId={projectId}
      kind="model"
      run={model}
      stages={stagesOfModel}
      mutations={mutations}
      againWith={model.id}
      action={
        mayWrite && (
          <Button
            onClick={() => modal.open('create-prediction', model.id)}
            disabled={trained.every((trait) => model.fit[trait]?.at_boundary.includes('additive'))}
          >
            {t('predictions.create')}
          </Button>
        )
      }
      facts={[
        { label: t('runs.genotype'), value: <InputFile projectId={projectId} file={model.genotype} /> },
        { label: t('runs.phenotype'), value: <InputFile projectId={projectId} file={model.phenotype} /> },
        ...(model.provenance.parameters.single_step
          ? [{ label: t('models.pedigree'), value: <InputFile projectId={projectId} file={model.pedigree} /> }]
          : []),
        {
          label: t('models.effects'),
          value: model.include_dominance_effects ? t('models.additiveDominance') : t('models.additive'),
        },
        {
          label: textOf('leave_out', 'label'),
          value:
            leaveOut === undefined
              ? t('models.folds', { folds: model.n_fold, repetitions: model.n_repetition })
              : t('models.leftOut', { column: leaveOut }),
        },
        ...(covariates.length > 0 ? [{ label: t('gwas.covariates'), value: covariates.join(', ') }] : []),
        ...(fixed === undefined ? [] : [{ label: textOf('fixed', 'label'), value: fixed }]),
        ...leftOutFact(t, model),
        { label: t('column.created'), value: <RelativeTime date={model.created_at} /> },
        { label: t('runs.took'), value: formatDuration(model.provenance.seconds) },
      ]}
    >
      {trained.length > 0 ? (
        <Results projectId={projectId} model={model} trained={trained} />
      ) : (
        <ProvenanceSection kind="model" provenance={model.provenance} />
      )}
    </RunPage>
  );
}

function Results({ projectId, model, trained }: { projectId: string; model: ModelDetail; trained: string[] }) {
  const { t } = useTranslation();
  const tab = useTabInAddress();
  const selection = useSelection();
  const evaluated = model.traits.filter((trait) => model.status[trait] === 'EVALUATED');
  const withFixed = trained.filter((trait) => hasFixedEffects(model, trait));
  return (
    <>
      <ModelHeadline model={model} traits={trained} />
      <TraitFigures projectId={projectId} model={model} traits={trained} />
      <TabStrip
        label={t('models.results')}
        {...tab}
        tabs={[
          {
            id: 'evaluation',
            label: t('models.evaluation'),
            content:
              evaluated.length > 0 ? (
                <EvaluationTab projectId={projectId} model={model} traits={evaluated} selection={selection} />
              ) : (
                <p className="hx-muted">{t('models.notEvaluated')}</p>
              ),
          },
          {
            id: 'effects',
            label: t('models.markerEffects'),
            content: <MarkerEffectsTab projectId={projectId} model={model} traits={trained} />,
          },
          {
            id: 'gebv',
            label: t('models.gebv'),
            content: <GebvTab projectId={projectId} model={model} traits={trained} selection={selection} />,
          },
          ...(withFixed.length > 0
            ? [
                {
                  id: 'fixed',
                  label: t('models.fixedEffects'),
                  content: <FixedEffectsTab projectId={projectId} model={model} traits={withFixed} />,
                },
              ]
            : []),
          { id: 'downloads', label: t('models.downloads'), content: <DownloadsTab model={model} traits={trained} /> },
          {
            id: 'provenance',
            label: t('runs.provenance'),
            content: <ProvenanceSection kind="model" provenance={model.provenance} isOpen />,
          },
        ]}
      />
    </>
  );
}

const NAMED = 3;
const R_DECIMALS = 2;

/** How well the traits are predicted, in a sentence; in red where there is nothing to predict from. */
function ModelHeadline({ model, traits }: { model: ModelDetail; traits: string[] }) {
  const { t } = useTranslation();
  const verdicts = verdictsOf(model, traits);
  if (verdicts.length === 0) return null;
  const others = verdicts.length - NAMED;
  const said = verdicts.slice(0, NAMED).map(({ trait, r, sd, verdict }) => {
    const figure = formatDecimals(r, R_DECIMALS);
    const error = sd === null ? '' : ` ± ${formatDecimals(sd, R_DECIMALS)}`;
    return t(`models.verdict.${verdict}`, { trait, r: `${figure}${error}` });
  });
  const without = verdicts.filter(({ verdict }) => verdict === 'not').map(({ trait }) => trait);
  return (
    <>
      <Headline>
        {said.join('; ')}
        {others > 0 && ` ${t('models.verdict.others', { count: others })}`}.
      </Headline>
      {without.length > 0 && (
        <Notice kind="warning">{t('models.noVariance', { traits: without.join(', '), count: without.length })}</Notice>
      )}
    </>
  );
}

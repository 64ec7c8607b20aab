import { hasMarkerEffects } from '@heterosis/contracts/options/model-types';
import type { ModelDetail } from '@heterosis/contracts/work/models';
import { useTranslation } from 'react-i18next';
import { Headline } from '../../../components/page/headline.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { TabStrip } from '../../../components/page/tab-strip.tsx';
import { useTabInAddress } from '../../../components/page/use-tab-in-address.ts';
import { useSelection } from '../../../components/table/use-selection.ts';
import { formatDecimals } from '../../../lib/format/format.ts';
import { ProvenanceSection, type RunPartProps } from '../runs/index.ts';
import { ChainsTab } from './chains-tab.tsx';
import { ComparedTab, isCompared } from './compared-tab.tsx';
import { CorrelationsTab } from './correlations-tab.tsx';
import { DownloadsTab } from './downloads-tab.tsx';
import { EvaluationTab } from './evaluation-tab.tsx';
import { FixedEffectsTab, hasFixedEffects } from './fixed-effects-tab.tsx';
import { GebvTab } from './gebv-tab.tsx';
import { MarkerEffectsTab } from './marker-effects-tab.tsx';
import { verdictsOf } from './model-headline.ts';
import { TraitFigures } from './trait-figures.tsx';

/** Figures and tables of what has been trained, and where they come from. */
export function ModelResults({ projectId, run: model }: RunPartProps<ModelDetail>) {
  const trained = model.traits.filter((trait) => model.fit[trait]);
  if (trained.length === 0) return <ProvenanceSection kind="model" provenance={model.provenance} />;
  return <Results projectId={projectId} model={model} trained={trained} />;
}

function Results({ projectId, model, trained }: { projectId: string; model: ModelDetail; trained: string[] }) {
  const { t } = useTranslation();
  const tab = useTabInAddress();
  const selection = useSelection();
  const evaluated = model.traits.filter((trait) => model.status[trait] === 'EVALUATED');
  const compared = evaluated.filter((trait) => isCompared(model, trait));
  const sampled = trained.filter((trait) => model.fit[trait]?.sampling !== undefined);
  const withFixed = trained.filter((trait) => hasFixedEffects(model, trait));
  return (
    <>
      <ModelHeadline model={model} traits={trained} />
      <TraitFigures projectId={projectId} model={model} traits={trained} />
      <TabStrip
        label={t('word.results')}
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
          ...(compared.length > 0
            ? [
                {
                  id: 'compared',
                  label: t('models.compared'),
                  content: <ComparedTab model={model} traits={compared} />,
                },
              ]
            : []),
          ...(model.multi_trait === null
            ? []
            : [
                {
                  id: 'correlations',
                  label: t('models.correlations'),
                  content: <CorrelationsTab model={model} together={model.multi_trait} />,
                },
              ]),
          ...(hasMarkerEffects(model.model_type)
            ? [
                {
                  id: 'effects',
                  label: t('models.markerEffects'),
                  content: <MarkerEffectsTab projectId={projectId} model={model} traits={trained} />,
                },
              ]
            : []),
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
          ...(sampled.length > 0
            ? [{ id: 'chains', label: t('models.chains'), content: <ChainsTab model={model} traits={sampled} /> }]
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

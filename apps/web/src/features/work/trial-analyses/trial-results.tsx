import type { TrialAnalysisDetail } from '@heterosis/contracts/work/trial-analyses';
import { Button, CopyButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { Headline } from '../../../components/page/headline.tsx';
import { Section } from '../../../components/page/section.tsx';
import { TabStrip } from '../../../components/page/tab-strip.tsx';
import { useTabInAddress } from '../../../components/page/use-tab-in-address.ts';
import { useMayWrite } from '../../people/projects/index.ts';
import { ProvenanceSection, type RunPartProps, TraitSelect, useTraitInAddress } from '../runs/index.ts';
import { FormerRun } from './former-run.tsx';
import { SeriesView } from './series/series-view.tsx';
import { trialStripsQuery } from './trial-analyses.api.ts';
import classes from './trial-analyses.module.css';
import { TrialChangesBar } from './trial-changes-bar.tsx';
import { TrialDetail } from './trial-detail.tsx';
import { TrialStrips } from './trial-strips.tsx';
import { type TrialChanges, useTrialChanges } from './use-trial-changes.ts';
import { WaitingFigures } from './waiting-figures.tsx';

/** One trait at a time: each of its trials, all of them together, and how it was made. */
export function TrialResults({ projectId, run }: RunPartProps<TrialAnalysisDetail>) {
  const { t } = useTranslation();
  const tab = useTabInAddress();
  const finished = run.traits.filter((trait) => run.summary[trait]);
  const { trait, choose } = useTraitInAddress(finished);
  const changes = useTrialChanges(run);
  const mayWrite = useMayWrite(projectId);
  const summary = run.summary[trait];
  const trials = <Trials projectId={projectId} run={run} trait={trait} changes={mayWrite ? changes : undefined} />;
  return (
    <>
      {summary && (
        <>
          <Headline>{summary.sentence}</Headline>
          <FormerRun projectId={projectId} run={run} />
          <TraitSelect traits={finished} value={trait} onChange={choose} />
          {summary.structure === null ? (
            <>
              {summary.environments > 1 && summary.no_series && (
                <p className="hx-muted">{t('trial_analyses.noSeries', { reason: summary.no_series })}</p>
              )}
              {trials}
            </>
          ) : (
            <TabStrip
              {...tab}
              label={t('trial_analyses.parts')}
              tabs={[
                { id: 'trials', label: t('trial_analyses.eachTrial'), content: trials },
                {
                  id: 'series',
                  label: t('trial_analyses.series'),
                  content: <SeriesView key={trait} projectId={projectId} run={run} trait={trait} />,
                },
              ]}
            />
          )}
          {mayWrite && <TrialChangesBar projectId={projectId} run={run} changes={changes} />}
          <Methods text={run.methods} />
        </>
      )}
      <ProvenanceSection kind="trial_analysis" provenance={run.provenance} />
    </>
  );
}

function Trials(props: {
  projectId: string;
  run: TrialAnalysisDetail;
  trait: string;
  changes: TrialChanges | undefined;
}) {
  const { projectId, run, trait, changes } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { environment: wanted } = useSearch({ strict: false });
  const { data, error, refetch } = useQuery(trialStripsQuery(projectId, run.id, trait));
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <WaitingFigures />;
  const strips = data.data;
  const strip = strips.find(({ environment }) => environment === wanted) ?? strips[0];
  const show = (search: { environment?: string; tab?: string; line?: string }): void =>
    void navigate({ to: '.', search: (previous) => ({ ...previous, ...search }), resetScroll: false });
  const hasSeries = run.summary[trait]?.structure != null;
  const { unmeasured = [] } = run.summary[trait] ?? {};
  return (
    <div className={classes.parts}>
      {strips.length > 1 && (
        <TrialStrips
          strips={strips}
          name={`${run.name} ${trait}`}
          shown={strip?.environment}
          onShow={(environment) => show({ environment })}
        />
      )}
      {unmeasured.length > 0 && (
        <p className="hx-muted">{t('trial_analyses.unmeasured', { trait, environments: unmeasured.join(', ') })}</p>
      )}
      {strip && (
        <TrialDetail
          key={`${strip.environment} ${trait}`}
          run={run}
          place={{ projectId, analysisId: run.id, environment: strip.environment, trait }}
          strip={strip}
          unit={data.unit}
          changes={changes}
          onLine={hasSeries ? (line) => show({ tab: 'series', line }) : undefined}
        />
      )}
    </div>
  );
}

function Methods({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <Section
      title={t('gwas.methods')}
      action={
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button size="xs" variant="default" onClick={copy}>
              {copied ? t('word.copied') : t('gwas.copyMethods')}
            </Button>
          )}
        </CopyButton>
      }
    >
      <p className={classes.methods}>{text}</p>
    </Section>
  );
}

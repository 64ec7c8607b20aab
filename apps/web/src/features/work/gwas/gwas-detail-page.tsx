import { GWAS_OPTIONS } from '@heterosis/contracts/options/gwas';
import type { GwasDetail } from '@heterosis/contracts/work/gwas';
import { Button, CopyButton, Group, Menu, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../components/page/section.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { formatDuration, formatTick } from '../../../lib/format/format.ts';
import {
  GWAS_STAGES,
  InputFile,
  leftOutFact,
  ProvenanceSection,
  RunLoader,
  RunPage,
  TraitSelect,
  type WithState,
} from '../runs/index.ts';
import { CovariateNote } from './covariate-note.tsx';
import { gwasQuery, useGwasMutations } from './gwas.api.ts';
import classes from './gwas-trait-result.module.css';
import { GwasTraitResult } from './gwas-trait-result.tsx';
import { StackedManhattans } from './stacked-manhattans.tsx';

export function GwasDetailPage({ projectId, gwasId }: { projectId: string; gwasId: string }) {
  const query = useQuery(gwasQuery(projectId, gwasId));
  return (
    <RunLoader projectId={projectId} kind="gwas" query={query}>
      {(gwas) => <LoadedGwas projectId={projectId} gwas={gwas} />}
    </RunLoader>
  );
}

function LoadedGwas({ projectId, gwas }: { projectId: string; gwas: WithState<GwasDetail> }) {
  const { t } = useTranslation();
  const textOf = useOptionText('gwas', GWAS_OPTIONS);
  const navigate = useNavigate();
  const mutations = useGwasMutations(projectId);
  const finished = gwas.traits.filter((trait) => gwas.status[trait] === 'SUCCESS');
  const { trait: chosen, all } = useSearch({ strict: false }) as { trait?: string; all?: string };
  const trait = finished.find((one) => one === chosen) ?? finished[0];
  const chooseTrait = (next: string): void =>
    void navigate({
      to: '.',
      // The chosen marker stays: its effect on another trait is what one wants to see next.
      search: (previous) => ({ ...previous, trait: next }),
      resetScroll: false,
    });
  const showAll = (isShown: boolean): void =>
    void navigate({
      to: '.',
      search: (previous) => ({ ...previous, all: isShown ? '1' : undefined }),
      replace: true,
      resetScroll: false,
    });
  const csv = trait === undefined ? undefined : gwas.result_urls[trait];
  return (
    <RunPage
      projectId={projectId}
      kind="gwas"
      run={gwas}
      stages={GWAS_STAGES}
      mutations={mutations}
      againWith={gwas.id}
      action={
        csv && (
          <Button component="a" href={csv} download>
            {t('action.downloadCsv')}
          </Button>
        )
      }
      menu={finished.map((one) => (
        <Menu.Item key={one} component="a" href={gwas.image_urls[one] ?? ''} download>
          {t('gwas.downloadImage', { trait: one })}
        </Menu.Item>
      ))}
      facts={[
        { label: t('runs.genotype'), value: <InputFile projectId={projectId} file={gwas.genotype} /> },
        { label: t('runs.phenotype'), value: <InputFile projectId={projectId} file={gwas.phenotype} /> },
        { label: textOf('test', 'label'), value: gwas.test },
        { label: textOf('fixed', 'label'), value: gwas.fixed },
        ...(gwas.covariates.length > 0 ? [{ label: t('gwas.covariates'), value: gwas.covariates.join(', ') }] : []),
        ...(gwas.condition_on.length > 0
          ? [{ label: t('gwas.conditionFact'), value: gwas.condition_on.join(', ') }]
          : []),
        ...(gwas.loco ? [{ label: t('gwas.kinship'), value: t('gwas.locoKinship') }] : []),
        { label: textOf('thresh_maf', 'label'), value: formatTick(gwas.thresh_maf) },
        { label: textOf('thresh_callrate', 'label'), value: formatTick(gwas.thresh_callrate) },
        ...leftOutFact(t, gwas),
        { label: t('column.created'), value: <RelativeTime date={gwas.created_at} /> },
        { label: t('runs.took'), value: formatDuration(gwas.provenance.seconds) },
      ]}
    >
      {trait !== undefined && (
        <>
          <Group gap="md">
            <TraitSelect traits={finished} value={trait} onChange={chooseTrait} />
            {finished.length > 1 && (
              <Switch
                size="xs"
                label={t('gwas.allTraits')}
                checked={all !== undefined}
                onChange={(event) => showAll(event.currentTarget.checked)}
              />
            )}
          </Group>
          {all !== undefined && finished.length > 1 && (
            <StackedManhattans
              projectId={projectId}
              title={t('gwas.allTraits')}
              fileName={`${gwas.name} all traits`}
              plots={finished.map((one) => ({ gwas, trait: one, name: one }))}
            />
          )}
          <CovariateNote gwas={gwas} trait={trait} />
          <GwasTraitResult key={trait} projectId={projectId} gwas={gwas} trait={trait} />
          <Section
            title={t('gwas.methods')}
            action={
              <CopyButton value={gwas.methods}>
                {({ copied, copy }) => (
                  <Button size="xs" variant="default" onClick={copy}>
                    {copied ? t('gwas.copied') : t('gwas.copyMethods')}
                  </Button>
                )}
              </CopyButton>
            }
          >
            <p className={classes.methods}>{gwas.methods}</p>
          </Section>
        </>
      )}
      <ProvenanceSection kind="gwas" provenance={gwas.provenance} />
    </RunPage>
  );
}

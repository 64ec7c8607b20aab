import type { GwasDetail } from '@heterosis/contracts/gwas';
import { Button, CopyButton, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FactsStrip } from '../../components/facts-strip.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { InlineRename } from '../../components/inline-rename.tsx';
import { SkeletonLines } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { formatDuration, formatTick } from '../../lib/format.ts';
import { useModal } from '../../lib/modal.ts';
import { useProjectCrumbs } from '../projects/use-project-crumbs.ts';
import { InputFile } from '../runs/input-file.tsx';
import { ProvenanceSection, RunFailures, RunningTraits, RunStateBadge } from '../runs/run-parts.tsx';
import { GWAS_STAGES } from '../runs/run-state.ts';
import { TraitSelect } from '../runs/trait-select.tsx';
import { useBundle } from '../runs/use-bundle.ts';
import { CovariateNote } from './covariate-note.tsx';
import { gwasQuery, useGwasMutations } from './gwas.api.ts';
import classes from './gwas-trait-result.module.css';
import { GwasTraitResult } from './gwas-trait-result.tsx';

export function GwasDetailPage({ projectId, gwasId }: { projectId: string; gwasId: string }) {
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  const query = useQuery(gwasQuery(projectId, gwasId));
  const list = { label: t('nav.gwas'), link: { to: '/projects/$projectId/gwas', params: { projectId } } } as const;
  if (!query.data) {
    return (
      <Page title={t('nav.gwas')} crumbs={[...crumbs, list]}>
        {query.error ? <ErrorNotice error={query.error} onRetry={() => void query.refetch()} /> : <SkeletonLines />}
      </Page>
    );
  }
  return <LoadedGwas projectId={projectId} gwas={query.data} crumbs={[...crumbs, list, { label: query.data.name }]} />;
}

function LoadedGwas(props: {
  projectId: string;
  gwas: GwasDetail;
  crumbs: NonNullable<Parameters<typeof Page>[0]['crumbs']>;
}) {
  const { projectId, gwas, crumbs } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const modal = useModal();
  const mutations = useGwasMutations(projectId);
  const bundle = useBundle(projectId, 'gwas', gwas.id);
  const [asking, setAsking] = useState<'delete' | 'cancel'>();
  const finished = gwas.traits.filter((trait) => gwas.status[trait] === 'SUCCESS');
  const { trait: chosen } = useSearch({ strict: false }) as { trait?: string };
  const trait = finished.find((one) => one === chosen) ?? finished[0];
  const chooseTrait = (next: string): void =>
    void navigate({
      to: '.',
      // The chosen marker stays: its effect on another trait is what one wants to see next.
      search: (previous) => ({ ...previous, trait: next }),
      replace: true,
      resetScroll: false,
    });
  const csv = trait === undefined ? undefined : gwas.result_urls[trait];
  return (
    <Page
      title={gwas.name}
      crumbs={crumbs}
      heading={
        <InlineRename
          name={gwas.name}
          label={t('gwas.renameTitle')}
          onRename={(name) => mutations.update.mutateAsync({ id: gwas.id, name })}
        />
      }
      aside={<RunStateBadge status={gwas.status} progress={gwas.progress} />}
      action={
        <>
          {csv && (
            <Button component="a" href={csv} download>
              {t('gwas.downloadCsv')}
            </Button>
          )}
          <Menu>
            <Menu.Target>
              <IconButton label={t('runs.more')} size="lg" variant="default">
                <IconDots size={18} />
              </IconButton>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => modal.open('update-gwas', gwas.id)}>{t('runs.editDetails')}</Menu.Item>
              <Menu.Item onClick={() => modal.open('create-gwas', gwas.id)}>{t('runs.runAgain')}</Menu.Item>
              <Menu.Item onClick={() => bundle.mutate()}>{t('runs.bundle')}</Menu.Item>
              {finished.map((one) => (
                <Menu.Item key={one} component="a" href={gwas.image_urls[one] ?? ''} download>
                  {t('gwas.downloadImage', { trait: one })}
                </Menu.Item>
              ))}
              <Menu.Item color="red" onClick={() => setAsking('delete')}>
                {t('gwas.delete')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </>
      }
    >
      {bundle.error && <ErrorNotice error={bundle.error} />}
      {gwas.description && <p>{gwas.description}</p>}
      <FactsStrip
        facts={[
          { label: t('runs.genotype'), value: <InputFile projectId={projectId} file={gwas.genotype} /> },
          { label: t('runs.phenotype'), value: <InputFile projectId={projectId} file={gwas.phenotype} /> },
          { label: t('gwas.test'), value: gwas.test },
          { label: t('gwas.fixed'), value: gwas.fixed },
          ...(gwas.covariates.length > 0 ? [{ label: t('gwas.covariates'), value: gwas.covariates.join(', ') }] : []),
          { label: t('gwas.maf'), value: formatTick(gwas.thresh_maf) },
          { label: t('gwas.callRate'), value: formatTick(gwas.thresh_callrate) },
          { label: t('column.created'), value: <RelativeTime date={gwas.created_at} /> },
          { label: t('runs.took'), value: formatDuration(gwas.provenance.seconds) },
        ]}
      />
      <RunFailures
        errorExtras={gwas.error_extras}
        onRetry={() => mutations.retry.mutate(gwas.id)}
        isRetrying={mutations.retry.isPending}
      />
      {mutations.retry.error && <ErrorNotice error={mutations.retry.error} />}
      <RunningTraits
        status={gwas.status}
        progress={gwas.progress}
        stages={GWAS_STAGES}
        onCancel={() => setAsking('cancel')}
      />
      {trait !== undefined && (
        <>
          <TraitSelect traits={finished} value={trait} onChange={chooseTrait} />
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
      <ProvenanceSection provenance={gwas.provenance} />
      {asking === 'delete' && (
        <ConfirmDialog
          title={t('gwas.deleteTitle', { name: gwas.name })}
          confirmLabel={t('gwas.delete')}
          onConfirm={() => mutations.remove.mutateAsync(gwas.id)}
          onClose={(confirmed) => {
            setAsking(undefined);
            if (confirmed) void navigate({ to: '/projects/$projectId/gwas', params: { projectId } });
          }}
        >
          {t('gwas.deleteText')}
        </ConfirmDialog>
      )}
      {asking === 'cancel' && (
        <ConfirmDialog
          title={t('runs.cancelTitle', { name: gwas.name })}
          confirmLabel={t('runs.cancel')}
          onConfirm={() => mutations.cancel.mutateAsync(gwas.id)}
          onClose={() => setAsking(undefined)}
        >
          {t('runs.cancelText')}
        </ConfirmDialog>
      )}
    </Page>
  );
}

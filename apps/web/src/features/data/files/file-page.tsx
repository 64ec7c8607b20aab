import type { FileDetail, FileType } from '@heterosis/contracts/data/files';
import { filesApi } from '@heterosis/contracts/endpoints/data/files';
import { Button, Menu } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../components/form/icon-button.tsx';
import { IconDots } from '../../../components/icons.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { type Fact, FactsStrip } from '../../../components/page/facts-strip.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { type Crumb, Page } from '../../../components/page/page.tsx';
import { ProgressBar } from '../../../components/page/progress-bar.tsx';
import { FileSize } from '../../../components/table/number-cell.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { call } from '../../../lib/api/api-client.ts';
import { isNotFound } from '../../../lib/api/problem.ts';
import { downloadAnswer } from '../../../lib/browser/download.ts';
import { useModal } from '../../../lib/browser/modal.ts';
import { namingFiles } from '../../../lib/browser/named-files.ts';
import { formatCount } from '../../../lib/format/format.ts';
import { Comments } from '../../people/comments/index.ts';
import { ItemPage } from '../../people/home/index.ts';
import { useProjectCrumbs, useProjectRights } from '../../people/projects/index.ts';
import { CheckAsType } from './check/check-as-type.tsx';
import { checkInWords } from './check/check-in-words.ts';
import { Cures } from './check/cures.tsx';
import { ImportReport } from './check/import-report.tsx';
import { NumericCodingChoice } from './check/numeric-coding-choice.tsx';
import { DerivationState } from './derivations/derivation-state.tsx';
import { DeleteFileDialog } from './dialogs/delete-dialogs.tsx';
import { FileStateBadge } from './file-state.tsx';
import { FileVersionList } from './file-version-list.tsx';
import { fileQuery, isBeingRead, useFileMutations } from './files.api.ts';
import { FileQcView } from './qc/file-qc-view.tsx';
import { ReadingChoice } from './reading/reading-choice.tsx';
import { useUploads } from './upload/uploads.ts';

export function FilePage({ projectId, fileId }: { projectId: string; fileId: string }) {
  const { t } = useTranslation();
  const crumbs = useProjectCrumbs(projectId);
  const query = useQuery(fileQuery(projectId, fileId));
  const isGone = isNotFound(query.error);
  const successor = useUploads().find(({ replaces, state }) => replaces === fileId && state === 'sent')?.uploadId;
  if (isGone && successor !== undefined)
    return <Navigate to="/projects/$projectId/files/$fileId" params={{ projectId, fileId: successor }} replace />;
  const root: Crumb = { label: t('nav.files'), link: { to: '/projects/$projectId/storage', params: { projectId } } };
  if (!query.data) {
    return (
      <Page title={t('nav.files')} crumbs={[...crumbs, root]}>
        {query.error ? <ErrorNotice error={query.error} onRetry={() => void query.refetch()} /> : <SkeletonLines />}
      </Page>
    );
  }
  const path = query.data.path.map(
    (one): Crumb => ({
      label: one.name,
      link: { to: '/projects/$projectId/storage/$folderId', params: { projectId, folderId: one.id } },
    }),
  );
  return (
    <LoadedFile
      projectId={projectId}
      file={query.data}
      isGone={isGone}
      crumbs={[...crumbs, root, ...path, { label: query.data.name }]}
    />
  );
}

interface LoadedFileProps {
  projectId: string;
  file: FileDetail;
  /** Somebody else, or another tab, has deleted it since it was loaded. */
  isGone: boolean;
  crumbs: Crumb[];
}

function LoadedFile({ projectId, file, isGone, crumbs }: LoadedFileProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const modal = useModal();
  const { may, mayChange, mayDelete } = useProjectRights(projectId);
  const mayChangeIt = mayChange(file);
  const { update, check } = useFileMutations(projectId);
  const covariance = useMutation({
    mutationFn: async () =>
      downloadAnswer(
        await call(filesApi.getCovarianceCsv, { project_id: projectId, file_id: file.id }),
        'covariance.csv',
      ),
  });
  /** The type that is said to be wrong. */
  const [wrongType, setWrongType] = useState<FileType | null>(null);
  const [isReadAnew, setReadAnew] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const isReady = file.status === 'READY' || file.status === 'READY_WITH_WARNINGS';
  const isChecking = file.status === 'UPLOADED' || file.status === 'CHECKING';
  const hasCheck = file.file_type !== null && !isChecking;
  const hasTypeChoice = mayChangeIt && !isChecking && file.file_type === wrongType;
  const { errors, warnings, infos } = file.problem_totals;
  if (isGone)
    return (
      <Page title={file.name} crumbs={crumbs}>
        <Notice kind="warning">{t('files.tray.gone')}</Notice>
      </Page>
    );
  return (
    <ItemPage
      item={{ projectId, kind: 'file', id: file.id, name: file.name }}
      crumbs={crumbs}
      state={<FileStateBadge file={file} />}
      renameLabel={t('files.renameFile')}
      canRename={mayChangeIt}
      onRename={(name) => update.mutateAsync({ id: file.id, name })}
      action={
        <>
          <NextStep file={file} mayReplace={mayChangeIt} mayAnalyse={may('write') && isReady} />
          <Menu>
            <Menu.Target>
              <IconButton label={t('word.moreActions')} size="lg" variant="default">
                <IconDots size={18} />
              </IconButton>
            </Menu.Target>
            <Menu.Dropdown>
              {mayChangeIt && (
                <Menu.Item onClick={() => modal.open('update-file', file.id)}>{t('files.renameOrMove')}</Menu.Item>
              )}
              <Downloads file={file} />
              {file.covariance && (
                <Menu.Item onClick={() => covariance.mutate()}>{t('files.downloadCovariance')}</Menu.Item>
              )}
              {isReady && <MakeFromGenotype file={file} mayWrite={may('write')} />}
              {may('add_germplasm') && isReady && isConvertible(file.file_type) && (
                <Menu.Item onClick={() => modal.open('convert-file', file.id)}>{t('files.convert.menu')}</Menu.Item>
              )}
              {mayChangeIt && hasCheck && (
                <>
                  <Menu.Item onClick={() => check.mutate({ id: file.id })}>{t('files.checkAgain')}</Menu.Item>
                  {file.has_first_rows && (
                    <Menu.Item onClick={() => modal.open('map-columns', file.id)}>{t('files.mapping.menu')}</Menu.Item>
                  )}
                  {file.file_type === 'GENOTYPE' && (
                    <Menu.Item onClick={() => setReadAnew(true)}>{t('files.reading.menu')}</Menu.Item>
                  )}
                  <Menu.Item onClick={() => setWrongType(file.file_type)}>{t('files.checkAs.menu')}</Menu.Item>
                </>
              )}
              {mayDelete(file) && (
                <>
                  <Menu.Divider />
                  <Menu.Item className="hx-danger" onClick={() => setDeleting(true)}>
                    {t('files.delete')}
                  </Menu.Item>
                </>
              )}
            </Menu.Dropdown>
          </Menu>
        </>
      }
    >
      {file.description && <p>{file.description}</p>}
      <FactsStrip
        facts={[
          { label: t('files.typeHead'), value: t(`files.type.${file.file_type ?? 'other'}`) },
          { label: t('files.export.format'), value: file.format === null ? '–' : t(`files.formatName.${file.format}`) },
          { label: t('files.size'), value: <FileSize bytes={file.size_bytes} /> },
          ...covarianceFacts(file, t),
          { label: t('files.uploaded'), value: <RelativeTime date={file.created_at} /> },
          { label: t('files.uploadedBy'), value: file.created_by ?? t('person.deleted') },
        ]}
      />
      {check.error && <ErrorNotice error={check.error} />}
      {covariance.error && <ErrorNotice error={covariance.error} />}
      {isChecking && (
        <ProgressBar
          label={checkInWords(file, t)}
          done={file.progress?.done ?? 0}
          total={file.progress?.total ?? 0}
          startedAt={file.progress?.started_at}
        />
      )}
      {file.derivations.map((one) => (
        <DerivationState key={one.step} projectId={projectId} file={file} derivation={one} />
      ))}
      {hasTypeChoice && <CheckAsType projectId={projectId} file={file} />}
      {isReadAnew && !isChecking && mayChangeIt && (
        <ReadingChoice projectId={projectId} file={file} onClose={() => setReadAnew(false)} />
      )}
      {!isChecking && !isReadAnew && mayChangeIt && <Cures projectId={projectId} file={file} />}
      <NumericCodingChoice projectId={projectId} file={file} mayWrite={mayChangeIt} />
      {isReady && file.file_type !== null && <FileQcView projectId={projectId} file={file} />}
      {!isChecking && errors + warnings + infos > 0 && (
        <ImportReport projectId={projectId} file={file} mayWrite={mayChangeIt} hasTypeChoice={hasTypeChoice} />
      )}
      {file.versions && <FileVersionList projectId={projectId} fileId={file.id} versions={file.versions} />}
      <Comments projectId={projectId} entityKind="file" entityId={file.id} />
      {isDeleting && (
        <DeleteFileDialog
          projectId={projectId}
          file={file}
          onClose={(deleted) => {
            if (deleted) void navigate({ to: '/projects/$projectId/storage', params: { projectId }, replace: true });
            else setDeleting(false);
          }}
        />
      )}
    </ItemPage>
  );
}

/** The covariance of the means that the file was made of. */
function covarianceFacts({ covariance }: FileDetail, t: TFunction): Fact[] {
  if (covariance === null) return [];
  const { traits } = covariance;
  const inWords = ({ trait, lines }: (typeof traits)[number]) =>
    t('files.covarianceOf', { trait, count: lines, formatted: formatCount(lines) });
  const value = traits.map(inWords).join(', ');
  return [{ label: t('files.covariance'), value, hint: t('files.covarianceHint') }];
}

/** Nothing is phased and no hybrid made of polyploids. */
const isPolyploid = ({ ploidy }: FileDetail): boolean => (ploidy ?? 2) > 2;

/** The parents, or their crosses. */
const HAS_HYBRIDS = new Set<FileType | null>(['GENOTYPE', 'CROSSING_TABLE']);

/** Types whose individuals can get the names of the germplasm list. */
const CONVERTIBLE: Record<FileType, boolean> = {
  GENOTYPE: true,
  PHENOTYPE: true,
  CROSSING_TABLE: true,
  LINKAGE_MAP: false,
  PEDIGREE: false,
  GENES: false,
};
const isConvertible = (type: FileType | null): boolean => type !== null && CONVERTIBLE[type];

/** A row for each plot. */
const hasPlots = ({ file_type, format }: FileDetail): boolean => file_type === 'PHENOTYPE' && format === 'wide-design';

/** What one does with a file of this kind: simulate its crosses, replace it. */
function NextStep(props: { file: FileDetail; mayReplace: boolean; mayAnalyse: boolean }) {
  const { file, mayReplace, mayAnalyse } = props;
  const { t } = useTranslation();
  const modal = useModal();
  if (file.status === 'INVALID' && mayReplace) {
    return <Button onClick={() => modal.open('replace-file', file.id)}>{t('files.replace.title')}</Button>;
  }
  if (file.file_type === 'CROSSING_TABLE' && mayAnalyse) {
    return (
      <>
        <Button variant="default" onClick={() => modal.open('hybrids', file.id)}>
          {t('files.hybrids.title')}
        </Button>
        <Button onClick={() => modal.open('create-crossing-simulation', `table:${file.id}`)}>
          {t('files.crosses.simulate')}
        </Button>
      </>
    );
  }
  if (file.meta.file_url === null) return null;
  if (hasPlots(file) && mayAnalyse) {
    return (
      <>
        <Button variant="default" onClick={() => modal.open('open-trials', file.id)}>
          {t('trials.openFile')}
        </Button>
        <Button onClick={() => modal.open('create-trial-analysis', namingFiles({ phenotype: file.id }))}>
          {t('trial_analyses.create')}
        </Button>
      </>
    );
  }
  return (
    <Button component="a" href={file.meta.file_url} download variant="default">
      {t('files.downloadOriginal')}
    </Button>
  );
}

/** What is made from a genotype, or from the crosses of its individuals. */
function MakeFromGenotype({ file, mayWrite }: { file: FileDetail; mayWrite: boolean }) {
  const { t } = useTranslation();
  const modal = useModal();
  const isGenotype = file.file_type === 'GENOTYPE';
  return (
    <>
      {isGenotype && <Menu.Item onClick={() => modal.open('export-file', file.id)}>{t('files.export.menu')}</Menu.Item>}
      {isGenotype && (
        <Menu.Item onClick={() => modal.open('download-spec-file', file.id)}>{t('files.template.title')}</Menu.Item>
      )}
      {mayWrite && isGenotype && !isPolyploid(file) && !isBeingRead(file) && (
        <Menu.Item onClick={() => modal.open('phasing', file.id)}>{t('files.phasing.menu')}</Menu.Item>
      )}
      {mayWrite && HAS_HYBRIDS.has(file.file_type) && !isPolyploid(file) && (
        <Menu.Item onClick={() => modal.open('hybrids', file.id)}>{t('files.hybrids.menu')}</Menu.Item>
      )}
    </>
  );
}

function Downloads({ file }: { file: FileDetail }) {
  const { t } = useTranslation();
  const links = [
    [t('files.downloadOriginal'), file.meta.file_url],
    [t('files.downloadSamples'), file.meta.samples_url],
    [t('files.downloadContigs'), file.meta.contigs_url],
    [t('files.downloadSnpIds'), file.meta.snpids_url],
    [t('files.downloadMarkerQc'), file.meta.marker_qc_url],
    [t('files.downloadSampleQc'), file.meta.sample_qc_url],
    [t('files.downloadQc'), file.meta.qc_url],
  ] as const;
  return (
    <>
      {links.map(
        ([label, url]) =>
          url && (
            <Menu.Item key={label} component="a" href={url} download>
              {label}
            </Menu.Item>
          ),
      )}
    </>
  );
}
